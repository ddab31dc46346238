import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { Button, Checkbox, IconButton, Select, TextField } from '@headwater/web-kit'
import { valueOf, valueTypes, type ValueType } from '../../contract/index.ts'
import { valueTypeLabels } from '../../core/index.ts'
import { type OwnParam, type TaskDraft, withParam } from './task-draft.ts'
import styles from './TaskCreator.module.css'

const types = [
  { value: 'INPUT', label: 'Input' },
  { value: 'OUTPUT', label: 'Output' },
]
const kinds = valueTypes.map((value) => ({ value, label: valueTypeLabels[value] }))
const headings = ['Name', 'Direction', 'Value type', 'Default', 'Optional', 'Description']

/** Table of the task's own parameters, in addition to the parameters of its kind. */
export function ParamsTable({
  draft,
  disabled,
  errors,
  onChange,
}: {
  draft: TaskDraft
  disabled: boolean
  /** Messages by field: `params`, or `params[3].name` with the index in the request. */
  errors: Readonly<Record<string, string>>
  onChange: (draft: TaskDraft) => void
}) {
  const { ownParams } = draft
  const set = (key: number, change: Partial<OwnParam>) =>
    onChange({
      ...draft,
      ownParams: ownParams.map((param) => (param.key === key ? { ...param, ...change } : param)),
    })
  return (
    <section className={styles.params} aria-label="Parameters">
      <div className={styles.head}>
        <h2 className={styles.title}>Parameters</h2>
        {disabled ? null : (
          <Button
            size="small"
            icon={<IconPlus size={14} stroke={1.6} />}
            onClick={() => onChange(withParam(draft))}
          >
            Add parameter
          </Button>
        )}
      </div>
      {ownParams.length === 0 ? (
        <p className={styles.note}>
          No parameters yet. A script reads an input with <code>headwater.read_input("name")</code> and passes
          a value to later tasks of a pipeline with <code>headwater.write_output("name", value)</code>.
        </p>
      ) : (
        <div className={styles.scroll}>
          <table className={styles.table}>
            <thead>
              <tr>
                {headings.map((heading) => (
                  <th key={heading} scope="col">
                    {heading}
                  </th>
                ))}
                <th scope="col">
                  <span className="visually-hidden">Remove</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {ownParams.map((param, index) => (
                <ParamRow
                  key={param.key}
                  param={param}
                  disabled={disabled}
                  errorOf={(field) => errors[`params[${draft.kindParams.length + index}].${field}`]}
                  onChange={(change) => set(param.key, change)}
                  onRemove={() =>
                    onChange({ ...draft, ownParams: ownParams.filter(({ key }) => key !== param.key) })
                  }
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {errors.params === undefined ? null : (
        <p className={styles.error} role="alert">
          {errors.params}
        </p>
      )}
    </section>
  )
}

function ParamRow({
  param,
  disabled,
  errorOf,
  onChange,
  onRemove,
}: {
  param: OwnParam
  disabled: boolean
  errorOf: (field: string) => string | undefined
  onChange: (change: Partial<OwnParam>) => void
  onRemove: () => void
}) {
  const { name } = param
  const isLong = param.valueType === 'LONG_TEXT' || param.valueType === 'SCRIPT'
  return (
    <tr>
      <td>
        <TextField
          label={`Name of ${name}`}
          hideLabel
          disabled={disabled}
          maxLength={200}
          value={name}
          error={errorOf('name')}
          onChange={(text) => onChange({ name: text })}
        />
      </td>
      <td>
        <Select
          label={`Direction of ${name}`}
          hideLabel
          disabled={disabled}
          value={param.type}
          options={types}
          onChange={(type) => onChange({ type: type as OwnParam['type'] })}
        />
      </td>
      <td>
        <Select
          label={`Value type of ${name}`}
          hideLabel
          disabled={disabled}
          value={param.valueType}
          options={kinds}
          onChange={(valueType) => onChange({ valueType: valueType as ValueType })}
        />
      </td>
      <td>
        <TextField
          label={`Default of ${name}`}
          hideLabel
          disabled={disabled}
          rows={isLong ? 2 : 1}
          mono={param.valueType === 'SCRIPT'}
          value={valueOf(param)}
          error={errorOf('defaultValue')}
          onChange={(defaultValue) => onChange({ defaultValue, value: '' })}
        />
      </td>
      <td>
        <Checkbox
          label={`${name} is optional`}
          hideLabel
          disabled={disabled}
          checked={param.optional}
          onChange={(optional) => onChange({ optional })}
        />
      </td>
      <td>
        <TextField
          label={`Description of ${name}`}
          hideLabel
          disabled={disabled}
          maxLength={2000}
          value={param.description}
          error={errorOf('description')}
          onChange={(description) => onChange({ description })}
        />
      </td>
      <td>
        {disabled ? null : (
          <IconButton label={`Remove ${name}`} icon={<IconX size={16} stroke={1.6} />} onClick={onRemove} />
        )}
      </td>
    </tr>
  )
}
