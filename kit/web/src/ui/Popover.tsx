import { type CSSProperties, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react'
import { Popover as MantinePopover } from '@mantine/core'
import styles from './Popover.module.css'
import { useEscape } from './escape.ts'
import '@mantine/core/styles/Popover.layer.css'

/** Properties of {@link Popover}. */
export interface PopoverProps {
  /** The element beside which the panel opens; must accept a ref. */
  trigger: ReactElement
  /** Whether the panel is open. */
  open: boolean
  /** Called when the user closes the panel. */
  onClose: () => void
  /** Content. */
  children: ReactNode
  /** Accessible name. */
  label: string
  /** Width in pixels; default the width of its content. */
  width?: number
  /** Side and alignment. */
  position?: 'bottom-start' | 'bottom-end' | 'bottom'
  /** Duration of the closing animation in milliseconds. Default 0: the panel disappears immediately. */
  closeMs?: number
}

/** A small panel that floats beside an element and closes with Esc or a click outside. */
export function Popover({
  trigger,
  open,
  onClose,
  children,
  label,
  width,
  position = 'bottom-start',
  closeMs = 0,
}: PopoverProps) {
  const isVisible = useLateClose(open, closeMs)
  useEscape(open, onClose)
  const anchor = useRef<HTMLSpanElement>(null)
  // Dropdowns of the panel are outside it in the document, but React bubbles their events through the panel.
  const inside = useRef<Event>(undefined)
  useEffect(() => {
    if (!open) return
    const onPress = (event: MouseEvent) => {
      if (event !== inside.current && !anchor.current?.contains(event.target as Node)) onClose()
    }
    document.addEventListener('mousedown', onPress)
    return () => document.removeEventListener('mousedown', onPress)
  }, [open, onClose])
  return (
    <MantinePopover
      opened={isVisible}
      // Mantine converts plain numbers and pixels to rem, which is not 16 px here.
      width={width === undefined ? undefined : `calc(${width}px)`}
      position={position}
      offset={4}
      zIndex={450}
      trapFocus
      returnFocus
      closeOnEscape={false}
      closeOnClickOutside={false}
      transitionProps={{ duration: 0 }}
      classNames={{ dropdown: styles.dropdown }}
    >
      <span ref={anchor} className={styles.anchor}>
        <MantinePopover.Target>{trigger}</MantinePopover.Target>
      </span>
      <MantinePopover.Dropdown
        aria-label={label}
        data-closing={(isVisible && !open) || undefined}
        style={{ '--close-time': `${closeMs}ms` } as CSSProperties}
        onMouseDown={({ nativeEvent }) => {
          inside.current = nativeEvent
        }}
      >
        {children}
      </MantinePopover.Dropdown>
    </MantinePopover>
  )
}

/** Returns whether a panel is visible. A closed panel stays visible for `closeMs`. */
function useLateClose(open: boolean, closeMs: number): boolean {
  const [isVisible, setVisible] = useState(open)
  if (open && !isVisible) setVisible(true)
  useEffect(() => {
    if (open || !isVisible) return
    const timer = setTimeout(() => setVisible(false), closeMs)
    return () => clearTimeout(timer)
  }, [open, isVisible, closeMs])
  return closeMs === 0 ? open : isVisible
}
