import type { ReactElement, ReactNode } from 'react'
import { Popover as MantinePopover } from '@mantine/core'
import styles from './Popover.module.css'
import { useEscape } from './escape.ts'
import '@mantine/core/styles/Popover.layer.css'

export interface PopoverProps {
  /** The element it hangs on; must take a ref. */
  trigger: ReactElement
  open: boolean
  onClose: () => void
  children: ReactNode
  /** Accessible name. */
  label: string
  /** In pixels; default as wide as its content. */
  width?: number
  position?: 'bottom-start' | 'bottom-end' | 'bottom'
}

/** A small panel that floats at an element and closes with Esc or a click beside it. */
export function Popover({
  trigger,
  open,
  onClose,
  children,
  label,
  width,
  position = 'bottom-start',
}: PopoverProps) {
  useEscape(open, onClose)
  return (
    <MantinePopover
      opened={open}
      onChange={(opened) => {
        if (!opened) onClose()
      }}
      width={width}
      position={position}
      offset={4}
      zIndex={450}
      trapFocus
      returnFocus
      closeOnEscape={false}
      transitionProps={{ duration: 0 }}
      classNames={{ dropdown: styles.dropdown }}
    >
      <MantinePopover.Target>{trigger}</MantinePopover.Target>
      <MantinePopover.Dropdown aria-label={label}>{children}</MantinePopover.Dropdown>
    </MantinePopover>
  )
}
