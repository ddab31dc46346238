import { Select as MantineSelect } from '@mantine/core'
import { Field, type FieldProps } from './Field.tsx'
import { ChevronDown, selectClasses, selectComboboxProps } from './choices.tsx'
import './choices.css'

/** One choice of a Select, Combobox or MultiSelect. */
export interface Option {
  value: string
  label: string
  disabled?: boolean
}

export interface SelectProps extends FieldProps {
  value: string | null
  onChange: (value: string | null) => void
  options: readonly Option[]
  /** Lets the user take the choice back. */
  clearable?: boolean
  placeholder?: string
}

/** A field for one of a few known choices. */
export function Select({ value, onChange, options, clearable, placeholder, ...field }: SelectProps) {
  return (
    <Field {...field}>
      {(control) => (
        <MantineSelect
          {...control}
          value={value}
          onChange={onChange}
          data={options as Option[]}
          clearable={clearable}
          allowDeselect={false}
          placeholder={placeholder}
          classNames={selectClasses}
          comboboxProps={selectComboboxProps}
          rightSection={clearable && value !== null ? undefined : <ChevronDown />}
          rightSectionPointerEvents={clearable && value !== null ? 'all' : 'none'}
          maxDropdownHeight={280}
        />
      )}
    </Field>
  )
}
