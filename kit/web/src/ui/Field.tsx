import { type ReactNode, useId } from 'react'
import styles from './Field.module.css'

/** Properties of every form field. */
export interface FieldProps {
  /** Label above the control. */
  label: string
  /** Hides the label, except for screen readers. */
  hideLabel?: boolean
  /** Error message; marks the field as invalid. */
  error?: string | null
  /** One sentence below the field. */
  hint?: ReactNode
  /** Whether the field must not be empty. */
  required?: boolean
  /** Disables the field. */
  disabled?: boolean
}

/** Ids and states that connect a control to its label, hint and error. */
export interface ControlProps {
  /** Id of the control, for its label. */
  id: string
  /** Ids of hint and error. */
  'aria-describedby': string | undefined
  /** Whether the field has an error. */
  'aria-invalid': true | undefined
  /** Whether the control must not be empty. */
  required: boolean | undefined
  /** Disables the control. */
  disabled: boolean | undefined
}

/** Renders the label, the control, and the error or hint. `children` renders the control with the given ids. */
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
