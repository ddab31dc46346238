import { useState } from 'react'
import { MultiSelect } from '@headwater/web-kit'

const options = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map(
  (label, index) => ({ value: String(index + 1), label }),
)

/** A field for days of the week, 1 = Monday to 7 = Sunday. At least one is required; the error appears after an edit. */
export function WeekdaysField({
  label,
  disabled = false,
  showMissing = false,
  value,
  onChange,
}: {
  label: string
  disabled?: boolean
  /** Whether an empty field shows its error before an edit, as after a submit. Default false. */
  showMissing?: boolean
  value: readonly number[]
  onChange: (days: number[]) => void
}) {
  const [isEdited, setEdited] = useState(false)
  const isMissing = value.length === 0 && (isEdited || showMissing)
  return (
    <MultiSelect
      label={label}
      disabled={disabled}
      error={isMissing ? 'Choose at least one day of the week.' : undefined}
      value={value.map(String)}
      options={options}
      onChange={(days) => {
        setEdited(true)
        onChange(days.map(Number).toSorted((a, b) => a - b))
      }}
    />
  )
}
