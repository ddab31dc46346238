import { DateField, FieldRow, TimeField, withSeconds } from '@headwater/web-kit'

/** Fields for a date and its time, `2024-01-31T16:00:00`. A new date gets the default time. */
export function DateTimeFields({
  label,
  value,
  time,
  error,
  onChange,
}: {
  label: string
  value: string | null
  /** Default time. */
  time: string
  error: string | undefined
  onChange: (value: string | null) => void
}) {
  const date = value?.slice(0, 10) ?? ''
  const ownTime = value === null ? '' : value.slice(11, 19) || time
  return (
    <FieldRow>
      <DateField
        label={label}
        value={date}
        error={error ?? null}
        onChange={(next) => onChange(next === '' ? null : `${next}T${ownTime || time}`)}
      />
      <TimeField
        label={`${label} (time)`}
        value={ownTime}
        disabled={value === null}
        onChange={(next) => onChange(`${date}T${next === '' ? time : withSeconds(next)}`)}
      />
    </FieldRow>
  )
}
