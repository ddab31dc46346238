import { useCallback, useEffect, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { GroupPicker } from '@headwater/groups/web'
import {
  Button,
  fieldErrors,
  Form,
  links,
  message,
  Page,
  PageHeader,
  Tabs,
  UnsavedGuard,
} from '@headwater/web-kit'
import { FormulaEditor } from '../components/FormulaEditor.tsx'
import { FormulaPreview } from '../components/FormulaPreview.tsx'
import { KeysEditor } from '../components/KeysEditor.tsx'
import { ValuesGridEditor } from '../components/ValuesGridEditor.tsx'
import styles from '../components/NewSymbol.module.css'
import { completeFormula, suggestName, type FormulaDraft, type InputDraft } from '../formula-draft.ts'
import { parseSymbolParameter } from '../../contract/index.ts'
import { keyFaults, symbolOf, type KeyDraft } from '../symbol-keys.ts'
import { useSaveFormula, useValueColumns, useWriteValues } from '../symbols-client.ts'
import { addressHref, type SymbolAddress } from '../use-storage-state.ts'
import { emptyGrid, filledRows, gridFaults, toNcsv, type ValuesGrid } from '../values-grid.ts'

const formId = 'new-symbol'
const kinds = [
  { value: 'values', label: 'Values' },
  { value: 'formula', label: 'Formula' },
]

/** Page that creates a symbol from first values or from a formula. */
export default function NewSymbolScreen() {
  const given = useParams().groupName ?? null
  const [parameters] = useSearchParams()
  const navigate = useNavigate()
  const [kind, setKind] = useState('values')
  const [groupName, setGroupName] = useState<string | null>(given)
  const [keys, setKeys] = useState<KeyDraft[]>(() => {
    const names = Object.keys(parseSymbolParameter(parameters.get('symbol') ?? ''))
    return (names.length === 0 ? [''] : names).map((key, index) => ({ id: index + 1, key, value: '' }))
  })
  const [firstKeys] = useState(keys)
  const [grid, setGrid] = useState<ValuesGrid>(() => emptyGrid())
  const [draft, setDraft] = useState<FormulaDraft>(() => ({
    expression: '',
    join: 'INNER',
    inputs: [firstInput(given, parameters.get('symbol'))],
  }))
  const [column, setColumn] = useState('Value')
  const [showFaults, setShowFaults] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const [refused, setRefused] = useState<unknown>()
  const [saved, setSaved] = useState<SymbolAddress>()
  const known = useValueColumns(groupName).data?.items ?? []
  const write = useWriteValues()
  const save = useSaveFormula('create')
  useEffect(() => {
    if (saved !== undefined) void navigate(addressHref(saved))
  }, [saved, navigate])
  const onRefused = useCallback((error: unknown) => setRefused(error), [])

  const isFormula = kind === 'formula'
  const errors = { ...fieldErrors(refused), ...fieldErrors(problem) }
  const symbols = symbolOf(keys)
  const formula = completeFormula(draft)
  const isTouched =
    JSON.stringify(keys) !== JSON.stringify(firstKeys) ||
    draft.expression !== '' ||
    filledRows(grid).length > 0

  const submit = async () => {
    setShowFaults(true)
    if (groupName === null || keyFaults(keys).size > 0) return
    if (isFormula) {
      if (formula === undefined || column.trim() === '') return
      await save.mutateAsync({ ...formula, groupName, symbols, column })
      message('Formula created.')
    } else {
      if (filledRows(grid).length === 0 || gridFaults(grid, known).length > 0) return
      const fileName = `${Object.values(symbols).join('-').slice(0, 100)}.csv`
      const { status } = await write.mutateAsync({ groupName, fileName, text: toNcsv(symbols, grid, known) })
      message(status === 'PROCESSING' ? 'The values are being ingested.' : 'Values saved.')
    }
    setSaved({ groupName, symbols })
  }
  return (
    <Page>
      <UnsavedGuard when={isTouched && saved === undefined} />
      <PageHeader
        actions={
          <>
            <Button href={links.symbols(groupName ?? undefined)}>Cancel</Button>
            <Button variant="primary" type="submit" form={formId} busy={save.isPending || write.isPending}>
              Create
            </Button>
          </>
        }
      />
      <div className={styles.screen} data-formula={isFormula || undefined}>
        <section className={styles.side} aria-label="New symbol">
          <h2 className={styles.title}>New symbol</h2>
          <Form id={formId} label="New symbol" onSubmit={submit} onError={setProblem}>
            <GroupPicker
              value={groupName}
              onChange={setGroupName}
              required
              error={errors.groupName ?? (showFaults && groupName === null ? 'Choose a group.' : undefined)}
            />
            <KeysEditor
              groupName={groupName}
              keys={keys}
              onChange={setKeys}
              showFaults={showFaults}
              error={errors.symbols}
            />
            <Tabs
              label="Symbol type"
              value={kind}
              onChange={(next) => {
                setKind(next)
                // Errors of one kind do not apply to the other.
                setShowFaults(false)
              }}
              tabs={kinds}
            />
            {isFormula ? (
              <FormulaEditor
                draft={draft}
                onChange={(next) => {
                  setDraft(next)
                  setProblem(undefined)
                }}
                column={column}
                onColumn={setColumn}
                showFaults={showFaults}
                errors={errors}
              />
            ) : (
              <p className={styles.note}>
                Values are stored like those of an uploaded file. If the symbol already exists in the group,
                they are added to it.
              </p>
            )}
          </Form>
        </section>
        <section className={styles.side} aria-label={isFormula ? 'Preview' : 'Values'}>
          {isFormula ? (
            <FormulaPreview formula={formula} column={column} onRefused={onRefused} />
          ) : (
            <>
              <ValuesGridEditor grid={grid} onChange={setGrid} known={known} showFaults={showFaults} />
              {showFaults && filledRows(grid).length === 0 ? (
                <p className={styles.fault} role="alert">
                  Enter at least one value for the symbol.
                </p>
              ) : null}
            </>
          )}
        </section>
      </div>
    </Page>
  )
}

/** Returns the first input of a formula: the symbol in the URL. */
function firstInput(groupName: string | null, text: string | null): InputDraft {
  const symbol = parseSymbolParameter(text ?? '')
  if (groupName === null || Object.keys(symbol).length === 0)
    return { id: 1, name: '', groupName, symbol: null, column: null }
  return { id: 1, name: suggestName(symbol, []), groupName, symbol, column: null }
}
