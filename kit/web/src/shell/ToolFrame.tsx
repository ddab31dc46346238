import { type ReactNode, createContext, useContext, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useInertBackground } from '../ui/Dialog.tsx'
import { DiscardDialog } from '../ui/InputDialog.tsx'
import { useEscape } from '../ui/escape.ts'
import { useFocusBack } from '../ui/focus-back.ts'
import { useDialogFocus } from '../ui/focus-trap.ts'
import { IconButton } from '../ui/IconButton.tsx'
import styles from './ToolFrame.module.css'
import { UnsavedGuard } from './UnsavedGuard.tsx'

/** Duration of the closing animation in milliseconds. There is no animation if the user prefers reduced motion. */
const closingMs = 200

interface ToolSlots {
  note: HTMLElement | null
  actions: HTMLElement | null
  setUnsaved: (unsaved: boolean) => void
}

const ToolContext = createContext<ToolSlots>({ note: null, actions: null, setUnsaved: () => undefined })

/** Renders the note and actions of a tool in the head of its frame. */
export function ToolHeader({ note, actions }: { note?: ReactNode; actions?: ReactNode }) {
  const slots = useContext(ToolContext)
  return (
    <>
      {slots.note === null ? null : createPortal(note, slots.note)}
      {slots.actions === null ? null : createPortal(actions, slots.actions)}
    </>
  )
}

/** Marks the tool as having unsaved changes, so that its frame asks for confirmation before it closes. */
export function useUnsavedTool(unsaved: boolean): void {
  const { setUnsaved } = useContext(ToolContext)
  useEffect(() => {
    setUnsaved(unsaved)
    return () => setUnsaved(false)
  }, [unsaved, setUnsaved])
}

/**
 * The frame of a tool over the page. It traps and restores the focus, closes with Esc, and asks for confirmation before
 * it discards unsaved changes.
 * @param compact whether the frame is as high as its content
 * @param closing whether the closing animation runs
 * @param onClose called when the user closes the tool, after confirming that changes are discarded
 * @param onClosed called after the closing animation
 */
export function ToolFrame({
  title,
  compact = false,
  closing,
  onClose,
  onClosed,
  children,
}: {
  title: string
  compact?: boolean
  closing: boolean
  onClose: () => void
  onClosed: () => void
  children: ReactNode
}) {
  const [note, setNote] = useState<HTMLElement | null>(null)
  const [actions, setActions] = useState<HTMLElement | null>(null)
  const [unsaved, setUnsaved] = useState(false)
  const [isConfirming, setConfirming] = useState(false)
  const trap = useDialogFocus()
  useFocusBack()
  useInertBackground()
  useClosed(closing, onClosed)
  const close = () => (unsaved ? setConfirming(true) : onClose())
  useEscape(!closing, close)
  return createPortal(
    <div className={styles.veil} data-closing={closing || undefined} data-compact={compact || undefined}>
      <div
        ref={trap}
        className={styles.frame}
        role="dialog"
        aria-modal="true"
        aria-label={title}
        tabIndex={-1}
        inert={closing}
      >
        <header className={styles.head}>
          <h2 className={styles.title} title={title}>
            {title}
          </h2>
          <div ref={setNote} className={styles.note} />
          <div ref={setActions} className={styles.actions} />
          <IconButton label="Close" icon={<IconX size={16} stroke={1.6} />} onClick={close} />
        </header>
        <ToolContext value={{ note, actions, setUnsaved }}>{children}</ToolContext>
      </div>
      <UnsavedGuard when={unsaved && !closing} />
      <DiscardDialog
        open={isConfirming}
        title={title}
        onDiscard={onClose}
        onClose={() => setConfirming(false)}
      />
    </div>,
    document.body,
  )
}

/** Calls `onClosed` after the closing animation. */
function useClosed(closing: boolean, onClosed: () => void): void {
  const latest = useRef(onClosed)
  useEffect(() => {
    latest.current = onClosed
  })
  useEffect(() => {
    if (!closing) return
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches
    const timer = setTimeout(() => latest.current(), still ? 0 : closingMs)
    return () => clearTimeout(timer)
  }, [closing])
}
