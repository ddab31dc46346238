import { GroupPicker } from '@headwater/groups/web'
import { DateField, Select, TextField } from '@headwater/web-kit'
import type { TaskParam } from '../../contract/index.ts'

const yesOrNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

/** A field for the value of a parameter, as its type asks for. Values are text; a default is shown where none is given. */
export function ParamField({
  param,
  value,
  onChange,
  disabled,
  error,
}: {
  param: Pick<TaskParam, 'name' | 'valueType' | 'defaultValue' | 'optional' | 'description'>
  value: string
  onChange: (value: string) => void
  disabled?: boolean
  error?: string | undefined
}) {
  const { name, valueType, defaultValue, optional, description } = param
  const required = !optional && defaultValue === ''
  const hint = description === '' ? undefined : description
  const shared = { label: name, hint, required, disabled: disabled === true, error: error ?? null }
  if (valueType === 'BOOLEAN')
    return (
      <Select
        {...shared}
        value={value === '' ? defaultValue || null : value}
        options={yesOrNo}
        clearable={optional}
        onChange={(chosen) => onChange(chosen ?? '')}
      />
    )
  if (valueType === 'GROUP')
    return (
      <GroupPicker
        label={name}
        required={required}
        disabled={shared.disabled}
        error={error}
        writeOnly={false}
        clearable={optional}
        value={value === '' ? null : value}
        onChange={(group) => onChange(group ?? '')}
      />
    )
  if (valueType === 'DATE')
    return <DateField {...shared} value={value} placeholder={defaultValue} onChange={onChange} />
  const isCode = valueType === 'SCRIPT'
  return (
    <TextField
      {...shared}
      mono={isCode || valueType === 'NUMBER'}
      rows={isCode || valueType === 'LONG_TEXT' ? 5 : 1}
      value={value}
      placeholder={defaultValue}
      onChange={onChange}
    />
  )
}
