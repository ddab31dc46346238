import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { Button, Select, TextField } from '@headwater/web-kit'
import { maxFormulaInputs, type FormulaJoin } from '../../contract/index.ts'
import { inputFaults, refusedInputs, type FormulaDraft, type InputDraft } from '../formula-draft.ts'
import { ExpressionField } from './ExpressionField.tsx'
import { FormulaInputRow } from './FormulaInputRow.tsx'
import styles from './NewSymbol.module.css'

const joins: { value: FormulaJoin; label: string }[] = [
  { value: 'INNER', label: 'Where every input has a value' },
  { value: 'OUTER', label: 'Where any input has a value; others are empty' },
  { value: 'PREVIOUS', label: 'Where any input has a value; others keep their last value' },
]

/** Editor of the inputs and the expression of a formula, with errors at the fields. */
export function FormulaEditor(props: {
  draft: FormulaDraft
  onChange: (draft: FormulaDraft) => void
  column: string
  onColumn: (column: string) => void
  /** Whether empty fields show an error, because the form was submitted. */
  showFaults: boolean
  /** Errors of the server, by field. */
  errors: Readonly<Record<string, string>>
}) {
  const { draft, onChange, column, onColumn, showFaults, errors } = props
  const { inputs } = draft
  const faults = inputFaults(inputs)
  const refused = refusedInputs(errors)
  const change = (id: number, part: Partial<InputDraft>) =>
    onChange({ ...draft, inputs: inputs.map((input) => (input.id === id ? { ...input, ...part } : input)) })
  const add = () => {
    const id = Math.max(0, ...inputs.map((input) => input.id)) + 1
    const groupName = inputs.at(-1)?.groupName ?? null
    onChange({ ...draft, inputs: [...inputs, { id, name: '', groupName, symbol: null, column: null }] })
  }
  return (
    <>
      <fieldset className={styles.part}>
        <legend className={styles.legend}>Inputs</legend>
        {inputs.map((input, index) => (
          <FormulaInputRow
            key={input.id}
            number={index + 1}
            input={input}
            taken={inputs.filter(({ id }) => id !== input.id).map(({ name }) => name)}
            onChange={(part) => change(input.id, part)}
            onRemove={
              inputs.length === 1
                ? undefined
                : () => onChange({ ...draft, inputs: inputs.filter(({ id }) => id !== input.id) })
            }
            fault={input.name === '' && !showFaults ? undefined : faults.get(index)}
            refused={(field) => refused.get(`${index}.${field}`)}
            showFaults={showFaults}
          />
        ))}
        <div>
          <Button
            size="small"
            icon={<IconPlus size={14} stroke={1.6} />}
            disabled={inputs.length >= maxFormulaInputs}
            onClick={add}
          >
            Add input
          </Button>
        </div>
      </fieldset>
      <ExpressionField
        text={draft.expression}
        names={inputs.map(({ name }) => name.trim()).filter((name) => name !== '')}
        onChange={(expression) => onChange({ ...draft, expression })}
        showFaults={showFaults}
        refused={errors.expression}
      />
      <Select
        label="Timestamps"
        value={draft.join}
        onChange={(join) => onChange({ ...draft, join: (join ?? 'INNER') as FormulaJoin })}
        options={joins}
      />
      <TextField
        label="Name of the value column"
        value={column}
        onChange={onColumn}
        maxLength={1000}
        error={errors.column ?? (showFaults && column.trim() === '' ? 'Enter a name for the column.' : null)}
      />
    </>
  )
}
