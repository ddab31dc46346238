import { type FormEvent, type ReactNode, createContext, useContext, useEffect, useState } from 'react'
import { ApiError } from '../call/api-error.ts'
import { ErrorNote } from './ErrorState.tsx'
import { Button, type ButtonProps } from './Button.tsx'
import { refusesUnfinished } from './unfinished-fields.ts'
import styles from './Form.module.css'

const BusyContext = createContext(false)

/** Properties of {@link Form}. */
export interface FormProps {
  /**
   * Submits the form. The `SubmitButton` is busy until the promise settles. If it is rejected, the form shows the
   * error.
   */
  onSubmit: () => void | Promise<unknown>
  /**
   * Called with the error of `onSubmit`, so that the caller can show errors of single fields; called with undefined at
   * the next submit.
   */
  onError?: (error: unknown) => void
  /** Fields and buttons. */
  children: ReactNode
  /** Accessible name. */
  label?: string
  /** Id for a button outside the form that submits it with its `form` attribute. */
  id?: string
  /** An error of the caller, displayed like an error of `onSubmit`. */
  error?: unknown
}

/** A form. Enter submits it. An error appears above the buttons, unless the fields already show all of its messages. */
export function Form({ onSubmit, onError, children, label, id, error: given }: FormProps) {
  const [busy, setBusy] = useState(false)
  const [thrown, setError] = useState<unknown>()
  const error = thrown ?? given ?? undefined
  useEffect(() => {
    // The message contains the remaining time, so it is outdated after that time.
    if (!(thrown instanceof ApiError) || thrown.retryAfterSeconds === undefined) return undefined
    const timer = setTimeout(() => setError(undefined), thrown.retryAfterSeconds * 1000)
    return () => clearTimeout(timer)
  }, [thrown])
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // In React, a form in a dialog is a child of the form behind the dialog.
    event.stopPropagation()
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
  const isVisible =
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
        {isVisible ? <ErrorNote error={error} /> : null}
        {children}
      </form>
    </BusyContext>
  )
}

/** The button that submits its form. */
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
