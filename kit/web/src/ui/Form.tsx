import { type FormEvent, type ReactNode, createContext, useContext, useState } from 'react'
import { ApiError } from '../call/api-error.ts'
import { ErrorNote } from './ErrorState.tsx'
import { Button, type ButtonProps } from './Button.tsx'
import { refusesUnfinished } from './unfinished-fields.ts'
import styles from './Form.module.css'

const BusyContext = createContext(false)

export interface FormProps {
  /** While the promise runs the form's `SubmitButton` is busy; what it throws is shown, so it need not be caught. */
  onSubmit: () => void | Promise<unknown>
  /** Told what `onSubmit` threw, for the errors of single fields; undefined when it starts anew. */
  onError?: (error: unknown) => void
  children: ReactNode
  /** Accessible name. */
  label?: string
  /** For a button outside the form that sends it by its `form` attribute. */
  id?: string
  /** An error the caller keeps itself; told like one that `onSubmit` threw. */
  error?: unknown
}

/** A form: Enter sends it, a failure is told above the buttons unless every part of it belongs to a field. */
export function Form({ onSubmit, onError, children, label, id, error: given }: FormProps) {
  const [busy, setBusy] = useState(false)
  const [thrown, setError] = useState<unknown>()
  const error = thrown ?? given ?? undefined
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy || refusesUnfinished(event.currentTarget)) return
    setBusy(true)
    setError(undefined)
    onError?.(undefined)
    try {
      await onSubmit()
    } catch (problem) {
      setError(problem)
      onError?.(problem)
    } finally {
      setBusy(false)
    }
  }
  const shown =
    error !== undefined && !(onError && error instanceof ApiError && error.validationErrors.length > 0)
  return (
    <BusyContext value={busy}>
      <form
        id={id}
        className={styles.form}
        aria-label={label}
        noValidate
        onSubmit={(event) => void submit(event)}
      >
        {shown ? <ErrorNote error={error} /> : null}
        {children}
      </form>
    </BusyContext>
  )
}

/** The button that sends the form it stands in. */
export function SubmitButton({ variant = 'primary', ...props }: ButtonProps) {
  const busy = useContext(BusyContext)
  return <Button {...props} variant={variant} type="submit" busy={busy || props.busy} />
}

/** Two or more fields side by side. */
export function FieldRow({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>
}

/** The buttons below the fields. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}
