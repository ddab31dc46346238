import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { Button } from './Button.tsx'
import styles from './Dialog.module.css'
import { ErrorNote } from './ErrorState.tsx'
import { useEscape } from './escape.ts'
import { useFocusBack } from './focus-back.ts'
import { useDialogFocus } from './focus-trap.ts'
import { isRepeated } from './repeated-press.ts'
import { refusesUnfinished } from './unfinished-fields.ts'

/** Properties of {@link Dialog}. */
export interface DialogProps {
  /** Whether the dialog is open. */
  open: boolean
  /** Called when the user closes the dialog. */
  onClose: () => void
  /** Heading and accessible name. */
  title: string
  /** Content. */
  children?: ReactNode
  /** The row of buttons at the lower right, the main one last. */
  actions?: ReactNode
  /** Width in pixels, default 400. */
  width?: number
  /** Whether an action is running. The dialog cannot be closed in the meantime. */
  busy?: boolean
}

/** A dialog over the page. It traps the focus, restores it on closing, and closes with Esc or a click beside it. */
export function Dialog(props: DialogProps) {
  return props.open ? createPortal(<OpenDialog {...props} />, document.body) : null
}

function OpenDialog({ onClose, title, children, actions, width = 400, busy = false }: DialogProps) {
  const titleId = useId()
  const trap = useDialogFocus()
  const heading = useRef<HTMLHeadingElement>(null)
  // The first control is the close button. If it had the focus, Enter would discard the input.
  useLayoutEffect(() => {
    const title = heading.current
    if (title?.closest('[role="dialog"]')?.querySelector('[data-autofocus]') === null)
      title.dataset.autofocus = 'true'
  }, [])
  useFocusBack()
  useInertBackground()
  const close = () => {
    if (!busy) onClose()
  }
  useEscape(true, close)
  return (
    <div
      className={styles.veil}
      onMouseDown={(event) => {
        if (event.target !== event.currentTarget) return
        if (isRepeated(event)) event.preventDefault()
        else close()
      }}
    >
      <div
        ref={trap}
        className={styles.dialog}
        style={{ width }}
        role="dialog"
        aria-modal="true"
        aria-labelledby={titleId}
        tabIndex={-1}
      >
        <div className={styles.head}>
          <h2 ref={heading} id={titleId} className={styles.title} tabIndex={-1}>
            {title}
          </h2>
          <button type="button" className={styles.close} aria-label="Close" disabled={busy} onClick={close}>
            <IconX size={16} stroke={1.6} aria-hidden="true" />
          </button>
        </div>
        {children === undefined ? null : <div className={styles.body}>{children}</div>}
        {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
      </div>
    </div>
  )
}

let openDialogs = 0

/** Makes the page behind an open dialog ignore focus and clicks. */
export function useInertBackground(): void {
  // A layout effect, so that a control of the page can take the focus as soon as the dialog is gone.
  useLayoutEffect(() => {
    const root = document.getElementById('root')
    openDialogs++
    root?.setAttribute('inert', '')
    return () => {
      openDialogs--
      if (openDialogs === 0) root?.removeAttribute('inert')
    }
  }, [])
}

/** Properties of {@link ConfirmDialog}. */
export interface ConfirmDialogProps {
  /** Whether the dialog is open. */
  open: boolean
  /** Called when the dialog closes, with or without confirmation. */
  onClose: () => void
  /** Heading and accessible name. */
  title: string
  /** The message: a sentence, or paragraphs. */
  children?: ReactNode
  /** Label of the confirming button. */
  confirmLabel: string
  /** Label of the cancelling button, default Cancel. */
  cancelLabel?: string
  /** Uses the danger colour for the confirming button. */
  danger?: boolean
  /**
   * The button with the initial focus, which Enter activates. Default: the confirming button; with `danger`, the
   * cancelling button.
   */
  focusOn?: 'confirm' | 'cancel'
  /** Width in pixels, default 400. */
  width?: number
  /** Another action, between the cancelling and the confirming button. The dialog stays open. */
  alternative?: { label: string; danger?: boolean; onChoose: () => void }
  /**
   * Runs the action. The dialog waits for the promise. If it is rejected, the dialog stays open and shows the error.
   */
  onConfirm: () => void | Promise<unknown>
}

/** Ignores Enter in checkboxes and radio buttons, where browsers would also submit the form. */
function ignoreEnterOnChoice(event: KeyboardEvent): void {
  const isChoice = event.target instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(event.target.type)
  if (event.key === 'Enter' && isChoice) event.preventDefault()
}

/** Requests a confirmation. Enter in a text field of the message also confirms. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, onClose, title, children, confirmLabel, cancelLabel = 'Cancel', danger, onConfirm } = props
  const { focusOn = danger ? 'cancel' : 'confirm', width, alternative } = props
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const [wasOpen, setWasOpen] = useState(open)
  if (wasOpen !== open) {
    setWasOpen(open)
    setError(undefined)
  }
  const formId = useId()
  async function confirm(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // In React, the dialog can be a child of another form.
    event.stopPropagation()
    if (busy || refusesUnfinished(event.currentTarget)) return
    setBusy(true)
    setError(undefined)
    try {
      await onConfirm()
      onClose()
    } catch (problem) {
      setError(problem)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      {...(width === undefined ? {} : { width })}
      busy={busy}
      actions={
        <>
          <Button onClick={onClose} disabled={busy} data-autofocus={focusOn === 'cancel' || undefined}>
            {cancelLabel}
          </Button>
          {alternative === undefined ? null : (
            <Button
              variant={alternative.danger ? 'dangerQuiet' : 'default'}
              disabled={busy}
              onClick={alternative.onChoose}
            >
              {alternative.label}
            </Button>
          )}
          <Button
            variant={danger ? 'danger' : 'primary'}
            busy={busy}
            data-autofocus={focusOn === 'confirm' || undefined}
            type="submit"
            form={formId}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className={styles.message}
        noValidate
        onKeyDown={ignoreEnterOnChoice}
        onSubmit={(event) => void confirm(event)}
      >
        {children}
      </form>
      {error === undefined ? null : <ErrorNote error={error} />}
    </Dialog>
  )
}
