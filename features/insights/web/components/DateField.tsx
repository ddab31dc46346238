import { Field } from '@headwater/web-kit'
import styles from './Editor.module.css'

/** The browser's own field for a date or time: typed, picked, and read out by screen readers. */
export function DateField({
  label,
  type,
  value,
  error,
  onChange,
}: {
  label: string
  type: 'date' | 'time'
  value: string
  error?: string | undefined
  onChange: (value: string) => void
}) {
  return (
    <Field label={label} error={error}>
      {(control) => (
        <input
          {...control}
          className={styles.nativeInput}
          type={type}
          step={type === 'time' ? 1 : undefined}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
