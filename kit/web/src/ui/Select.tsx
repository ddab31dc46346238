import { Select as MantineSelect } from '@mantine/core'
import { Field, type FieldProps } from './Field.tsx'
import {
  ChevronDown,
  choiceListProps,
  errorOf,
  selectClasses,
  selectComboboxProps,
  Swatches,
} from './choices.tsx'
import './choices.css'

/** One choice of a Select, Combobox or MultiSelect. */
export interface Option {
  value: string
  label: string
  disabled?: boolean
  /** Colours shown before the label of a Select, as CSS; all options of a list have as many, or none. */
  swatches?: readonly string[]
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
  const swatches = options.find((option) => option.value === value)?.swatches
  return (
    <Field {...field}>
      {(control) => (
        <MantineSelect
          {...control}
          {...errorOf(control)}
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
          {...choiceListProps}
          leftSection={swatches && <Swatches colors={swatches} />}
          leftSectionWidth={swatches && 'auto'}
          leftSectionPointerEvents="none"
          styles={swatches && { input: { paddingLeft: textStart(swatches.length), paddingRight: 24 } }}
        />
      )}
    </Field>
  )
}

/** Where the text begins behind so many swatches of 10 px with gaps of 2 px. */
function textStart(count: number): number {
  return 10 + count * 12 + 4
}
