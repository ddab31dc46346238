import { type ReactElement, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import styles from './Tooltip.module.css'

/** Side of a tooltip. */
export type TooltipPosition = 'top' | 'bottom' | 'left' | 'right'

/** Properties of {@link Tooltip}. */
export interface TooltipProps {
  /** Text of the tooltip. */
  label: ReactNode
  /** The element with the tooltip. */
  children: ReactElement
  /** Delay in milliseconds, default 400. */
  delayMs?: number
  /** Side, default top. The opposite side is used if there is not enough space. */
  position?: TooltipPosition
  /** Hides the tooltip. */
  disabled?: boolean
}

/** Shows a short explanation on hover and on keyboard focus. */
export function Tooltip({
  label,
  children,
  delayMs = 400,
  position = 'top',
  disabled = false,
}: TooltipProps) {
  const [anchor, setAnchor] = useState<Element>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  function show(holder: Element, afterMs: number) {
    clearTimeout(timer.current)
    const element = holder.firstElementChild
    if (element !== null && !disabled) timer.current = setTimeout(() => setAnchor(element), afterMs)
  }
  function hide() {
    clearTimeout(timer.current)
    setAnchor(undefined)
  }
  return (
    <span
      className={styles.holder}
      onPointerEnter={(event) => {
        if (event.pointerType !== 'touch') show(event.currentTarget, delayMs)
      }}
      onPointerLeave={hide}
      onPointerDown={hide}
      onFocus={(event) => {
        if (event.target.matches(':focus-visible')) show(event.currentTarget, delayMs)
      }}
      onBlur={hide}
      onKeyDown={(event) => {
        if (event.key === 'Escape') hide()
      }}
    >
      {children}
      {anchor === undefined || disabled ? null : <Bubble label={label} anchor={anchor} position={position} />}
    </span>
  )
}

const gapPx = 6

function Bubble({
  label,
  anchor,
  position,
}: {
  label: ReactNode
  anchor: Element
  position: TooltipPosition
}) {
  const bubble = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = bubble.current
    if (element === null) return
    const { left, top } = positionOf(
      anchor.getBoundingClientRect(),
      element.getBoundingClientRect(),
      position,
    )
    element.style.left = `${left}px`
    element.style.top = `${top}px`
  }, [anchor, position, label])
  return createPortal(
    <div ref={bubble} role="tooltip" className={styles.tooltip}>
      {label}
    </div>,
    document.body,
  )
}

function positionOf(
  anchor: DOMRect,
  bubble: DOMRect,
  position: TooltipPosition,
): { left: number; top: number } {
  const { innerWidth, innerHeight } = window
  const middle = {
    left: anchor.left + (anchor.width - bubble.width) / 2,
    top: anchor.top + (anchor.height - bubble.height) / 2,
  }
  const above = anchor.top - bubble.height - gapPx
  const below = anchor.bottom + gapPx
  const before = anchor.left - bubble.width - gapPx
  const after = anchor.right + gapPx
  const at = {
    top: { left: middle.left, top: above < 4 ? below : above },
    bottom: { left: middle.left, top: below + bubble.height > innerHeight - 4 ? above : below },
    left: { left: before < 4 ? after : before, top: middle.top },
    right: { left: after + bubble.width > innerWidth - 4 ? before : after, top: middle.top },
  }[position]
  return {
    left: Math.max(4, Math.min(at.left, innerWidth - bubble.width - 4)),
    top: Math.max(4, Math.min(at.top, innerHeight - bubble.height - 4)),
  }
}
