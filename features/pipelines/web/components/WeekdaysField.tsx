import { MultiSelect } from '@headwater/web-kit'

const options = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map(
  (label, index) => ({ value: String(index + 1), label }),
)

/** A field for days of the week, 1 = Monday to 7 = Sunday. At least one is required. */
export function WeekdaysField({
  label,
  disabled = false,
  value,
  onChange,
}: {
  label: string
  disabled?: boolean
  value: readonly number[]
  onChange: (days: number[]) => void
}) {
  return (
    <MultiSelect
      label={label}
      disabled={disabled}
      error={value.length === 0 ? 'Choose at least one day of the week.' : undefined}
      value={value.map(String)}
      options={options}
      onChange={(days) => onChange(days.map(Number).toSorted((a, b) => a - b))}
    />
  )
}
