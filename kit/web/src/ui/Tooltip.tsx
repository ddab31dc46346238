import type { ReactElement, ReactNode } from 'react'
import { Tooltip as MantineTooltip } from '@mantine/core'
import '@mantine/core/styles/Tooltip.css'
import styles from './Tooltip.module.css'

export interface TooltipProps {
  label: ReactNode
  /** One element that takes a ref. */
  children: ReactElement
  /** Default 400 ms. */
  delayMs?: number
  position?: 'top' | 'bottom' | 'left' | 'right'
  disabled?: boolean
}

/** A short explanation shown on hover and on keyboard focus. */
export function Tooltip({ label, children, delayMs = 400, position = 'top', disabled }: TooltipProps) {
  return (
    <MantineTooltip
      label={label}
      openDelay={delayMs}
      position={position}
      disabled={disabled}
      events={{ hover: true, focus: true, touch: false }}
      classNames={{ tooltip: styles.tooltip }}
      transitionProps={{ duration: 0 }}
      offset={6}
      zIndex={600}
    >
      {children}
    </MantineTooltip>
  )
}
