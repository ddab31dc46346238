import { Select as MantineSelect } from '@mantine/core'
import { Field, type FieldProps } from './Field.tsx'
import {
  ChevronDown,
  choiceListProps,
  noteOf,
  selectClasses,
  selectComboboxProps,
  Swatches,
} from './choices.tsx'
import './choices.css'

/** One choice of a Select, Combobox or MultiSelect. */
export interface Option {
  /** Value of the choice. */
  value: string
  /** Visible text. */
  label: string
  /** Disables the choice. */
  disabled?: boolean
  /** CSS colours before the label of a Select; all options of a list have the same number of them, or none. */
  swatches?: readonly string[]
}

/** Properties of {@link Select}. */
export interface SelectProps extends FieldProps {
  /** Selected value; null for none. */
  value: string | null
  /** Called with the new value. */
  onChange: (value: string | null) => void
  /** Choices. */
  options: readonly Option[]
  /** Lets the user clear the choice. */
  clearable?: boolean
  /** Text of the empty field. */
  placeholder?: string
}

/** A field for selecting one of a few choices. */
export function Select({ value, onChange, options, clearable, placeholder, ...field }: SelectProps) {
  const swatches = options.find((option) => option.value === value)?.swatches
  return (
    <Field {...field}>
      {(control) => (
        <MantineSelect
          {...control}
          {...noteOf(control)}
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

/** Returns the offset of the text after swatches of 10 px with gaps of 2 px. */
function textStart(count: number): number {
  return 10 + count * 12 + 4
}
