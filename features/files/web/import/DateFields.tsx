import { dateFormats } from '@headwater/csv'
import { Combobox, zoneOptions } from '@headwater/web-kit'

/** Properties of the fields of a date column. */
export interface DateFieldProps {
  /** Label of the field. */
  label: string
  /** Selected value; null for none. */
  value: string | null
  /** Called with the new value. */
  onChange: (value: string | null) => void
  /** Disables the field. */
  disabled?: boolean
  /** Error message. */
  error?: string | null
}

/** Field for the format of the dates of a column; any pattern of the same letters is valid. */
export function DateFormatField(props: DateFieldProps) {
  return <Combobox {...props} required allowFree options={choicesOf(dateFormats)} placeholder="yyyy-MM-dd" />
}

/** Field for the time zone of the dates of a column. */
export function DateZoneField(props: DateFieldProps) {
  return <Combobox {...props} required options={zoneOptions()} placeholder="Europe/Berlin" />
}

/** Returns the values as choices, without duplicates and empty ones. */
export function choicesOf(values: readonly string[]) {
  return [...new Set(values)].filter((value) => value !== '').map((value) => ({ value, label: value }))
}
