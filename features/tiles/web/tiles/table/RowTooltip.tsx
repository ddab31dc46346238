import { type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import styles from './TableTile.module.css'

/** A line of the tooltip of a row. */
export interface TooltipLine {
  /** Label before the cell. */
  label: string
  /** Formatted cell. */
  text: string
  /** CSS colour. */
  color: string | undefined
}

/** Delay before the tooltip of a row appears, in milliseconds. */
const delayMs = 300

/** Shows the tooltip of a row on hover and focus. */
export function RowTooltip({
  linesOf,
  children,
}: {
  /** Returns the tooltip lines for the row at a visible position; no lines mean no tooltip. */
  linesOf: (position: number) => readonly TooltipLine[]
  children: ReactNode
}) {
  const [at, setAt] = useState<{ position: number; left: number; top: number }>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const lines = at === undefined ? [] : linesOf(at.position)

  function show(target: EventTarget, left: number | undefined, afterMs: number) {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
    const position = Number(row?.dataset.index ?? Number.NaN)
    if (row === null || Number.isNaN(position)) return hide()
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      const box = row.getBoundingClientRect()
      setAt({ position, left: left ?? box.left + 48, top: box.bottom })
    }, afterMs)
  }
  function hide() {
    clearTimeout(timer.current)
    setAt(undefined)
  }
  return (
    <div
      className={styles.grid}
      onPointerMove={(event) => {
        const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null
        if (event.pointerType !== 'touch' && row?.dataset.index !== String(at?.position))
          show(event.target, event.clientX, delayMs)
      }}
      onPointerLeave={hide}
      onPointerDown={hide}
      onWheel={hide}
      onFocus={(event) => {
        if (event.target.matches(':focus-visible')) show(event.target, undefined, 0)
      }}
      onBlur={hide}
      onKeyDown={(event) => {
        if (event.key === 'Escape') hide()
      }}
    >
      {children}
      {at === undefined || lines.length === 0
        ? null
        : createPortal(
            <dl
              role="tooltip"
              className={styles.tooltip}
              style={{
                left: Math.max(4, Math.min(at.left, window.innerWidth - 284)),
                ...(at.top + 24 + lines.length * 20 > window.innerHeight
                  ? { bottom: window.innerHeight - at.top + 38 }
                  : { top: at.top + 4 }),
              }}
            >
              {lines.map(({ label, text, color }, index) => (
                <div key={index}>
                  <dt>{label}</dt>
                  <dd style={{ color }}>{text}</dd>
                </div>
              ))}
            </dl>,
            document.body,
          )}
    </div>
  )
}
