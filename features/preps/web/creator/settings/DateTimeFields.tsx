import { Field, FieldRow } from '@headwater/web-kit'
import styles from './SettingsPanel.module.css'

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
      <NativeField
        label={label}
        type="date"
        value={date}
        error={error}
        onChange={(next) => onChange(next === '' ? null : `${next}T${ownTime || time}`)}
      />
      <NativeField
        label={`${label}, time`}
        type="time"
        value={ownTime}
        disabled={value === null}
        onChange={(next) => onChange(`${date}T${next === '' ? time : withSeconds(next)}`)}
      />
    </FieldRow>
  )
}

/** A time of day, `16:00:00`; empty for none. */
export function TimeField(props: {
  label: string
  value: string
  error: string | undefined
  hint?: string | undefined
  onChange: (value: string) => void
}) {
  return (
    <NativeField
      {...props}
      type="time"
      onChange={(next) => props.onChange(next === '' ? '' : withSeconds(next))}
    />
  )
}

function withSeconds(time: string): string {
  return time.length === 5 ? `${time}:00` : time
}

/** The browser's own field for a date or time: typed, picked, and read out by screen readers. */
function NativeField({
  label,
  type,
  value,
  error,
  hint,
  disabled,
  onChange,
}: {
  label: string
  type: 'date' | 'time'
  value: string
  error?: string | undefined
  hint?: string | undefined
  disabled?: boolean
  onChange: (value: string) => void
}) {
  return (
    <Field
      label={label}
      hint={hint}
      {...(error === undefined ? {} : { error })}
      {...(disabled === undefined ? {} : { disabled })}
    >
      {(control) => (
        <input
          {...control}
          className={styles.input}
          type={type}
          step={type === 'time' ? 1 : undefined}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
