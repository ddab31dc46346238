import { z } from 'zod'
import { GroupPicker } from '@headwater/groups/web'
import { type FormField, SchemaForm } from '@headwater/web-kit'
import type { TaskParam } from '../../contract/index.ts'

type Param = Pick<TaskParam, 'name' | 'valueType' | 'defaultValue' | 'optional' | 'description'>
type Values = Readonly<Record<string, string>>

const schema = z.record(z.string(), z.string())

/** Fields for the values of parameters, one control per value type. Values are texts; an empty field shows the default. */
export function ParamFields({
  params,
  values,
  disabled = false,
  errors,
  onChange,
}: {
  params: readonly Param[]
  /** Values by parameter name; absent = empty. */
  values: Values
  disabled?: boolean
  errors?: Readonly<Record<string, string | undefined>>
  onChange: (change: Values) => void
}) {
  const current = params.map(({ name, valueType, defaultValue }) => {
    const value = values[name] ?? ''
    return [name, value === '' && valueType === 'BOOLEAN' ? defaultValue : value]
  })
  return (
    <SchemaForm
      schema={schema}
      items={params.map(fieldOf)}
      value={Object.fromEntries(current) as Record<string, string>}
      disabled={disabled}
      errors={errors}
      onChange={(change) => onChange(change as Values)}
    />
  )
}

function fieldOf({
  name,
  valueType,
  defaultValue,
  optional,
  description,
}: Param): FormField<Record<string, string>> {
  const shared = {
    field: name,
    label: name,
    hint: description === '' ? undefined : description,
    placeholder: defaultValue,
    required: !optional && defaultValue === '',
  }
  switch (valueType) {
    case 'BOOLEAN':
      return { ...shared, placeholder: undefined, choices: { true: 'Yes', false: 'No' }, clearable: optional }
    case 'GROUP':
      return {
        ...shared,
        clearable: optional,
        control: ({ value, onChange, ...props }) => (
          <GroupPicker
            {...props}
            writeOnly={false}
            value={value === '' ? null : value}
            onChange={(group) => onChange(group ?? '')}
          />
        ),
      }
    case 'DATE':
      return { ...shared, as: 'date' }
    default:
      return {
        ...shared,
        mono: valueType === 'SCRIPT' || valueType === 'NUMBER',
        rows: valueType === 'SCRIPT' || valueType === 'LONG_TEXT' ? 5 : 1,
      }
  }
}
