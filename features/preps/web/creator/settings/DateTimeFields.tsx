import { DateField, FieldRow, TimeField } from '@headwater/web-kit'

/** A date and its time, `2024-01-31T16:00:00`; a date that is picked first begins at the given time. */
export function DateTimeFields({
  label,
  value,
  time,
  error,
  onChange,
}: {
  label: string
  value: string | null
  /** The time of a date that has none. */
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
        label={`${label}, time`}
        value={ownTime}
        disabled={value === null}
        onChange={(next) => onChange(`${date}T${next === '' ? time : withSeconds(next)}`)}
      />
    </FieldRow>
  )
}

/** A time as data preps write it, `16:00:00`. */
export function withSeconds(time: string): string {
  return time.length === 5 ? `${time}:00` : time
}
