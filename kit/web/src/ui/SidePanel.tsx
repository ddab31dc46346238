import type { ReactNode } from 'react'
import styles from './Dialog.module.css'
import { useEscape } from './escape.ts'
import { useFocusBack } from './focus-back.ts'
import { useDialogFocus } from './focus-trap.ts'
import { isRepeated } from './repeated-press.ts'

/** Properties of {@link SidePanel}. */
export interface SidePanelProps {
  /** Whether the panel is open. */
  open: boolean
  /** Called when the user closes the panel. */
  onClose: () => void
  /** Accessible name. */
  label: string
  /** Content. */
  children: ReactNode
  /** Side of the window; default left, beside the sidebar. */
  side?: 'left' | 'right'
  /** Width in pixels, default 620. */
  width?: number
  /** Distance from that side, in pixels or as a CSS length; default 0. */
  offset?: number | string
}

/** A panel that slides in over the page; a click on the background or Esc closes it. */
export function SidePanel(props: SidePanelProps) {
  return props.open ? <OpenPanel {...props} /> : null
}

function OpenPanel({ onClose, label, children, side = 'left', width = 620, offset = 0 }: SidePanelProps) {
  useEscape(true, onClose)
  const trap = useDialogFocus()
  useFocusBack()
  return (
    <>
      <div
        className={styles.sideVeil}
        style={{ [side]: offset }}
        onMouseDown={(event) => {
          if (isRepeated(event)) event.preventDefault()
          else onClose()
        }}
      />
      <div
        ref={trap}
        className={styles.side}
        data-side={side}
        style={{ [side]: offset, width }}
        role="dialog"
        aria-label={label}
        tabIndex={-1}
      >
        {children}
      </div>
    </>
  )
}
