import { type ReactNode, useId } from 'react'
import styles from './Field.module.css'

/** What every form field takes. */
export interface FieldProps {
  label: string
  /** Keeps the label for screen readers only. */
  hideLabel?: boolean
  /** What is wrong, in words; the field is marked invalid. */
  error?: string | null
  /** One sentence below the field. */
  hint?: ReactNode
  required?: boolean
  disabled?: boolean
}

/** The ids and states a control needs to be tied to its label, hint and error. */
export interface ControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  required: boolean | undefined
  disabled: boolean | undefined
}

/** Label above, control, then error or hint; `children` draws the control with the ids it is given. */
export function Field({
  label,
  hideLabel,
  error,
  hint,
  required,
  disabled,
  end,
  className,
  children,
}: FieldProps & { end?: ReactNode; className?: string; children: (control: ControlProps) => ReactNode }) {
  const id = useId()
  const noteId = `${id}-note`
  const note = error || hint
  return (
    <div className={[styles.field, className].filter(Boolean).join(' ')}>
      <div className={hideLabel ? 'visually-hidden' : styles.labelRow}>
        <label htmlFor={id} className={styles.label} data-required={required || undefined}>
          {label}
        </label>
        {end}
      </div>
      {children({
        id,
        'aria-describedby': note ? noteId : undefined,
        'aria-invalid': error ? true : undefined,
        required: required || undefined,
        disabled: disabled || undefined,
      })}
      {note ? (
        <div id={noteId} className={error ? styles.error : styles.hint} role={error ? 'alert' : undefined}>
          {note}
        </div>
      ) : null}
    </div>
  )
}
