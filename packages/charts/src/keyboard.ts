import type { ChartWindow } from './chart-handle.ts'
import { moved, scaled } from './gestures.ts'
import { indexesInView, visibleSeries } from './model.ts'
import type { Model } from './model.ts'
import { nearestX, neighbourX } from './reading.ts'

/** Effect of a key: a new cursor or window. */
export interface KeyResult {
  /** New x of the cursor; null hides the cursor, absent leaves it unchanged. */
  cursor?: number | null
  /** New window; absent leaves it unchanged. */
  window?: ChartWindow | 'all'
}

/**
 * Handles a key: arrow keys go to the next or previous point (with Shift a tenth of the window), Home and End to the
 * first and last point in the window, plus and minus zoom around the cursor, Escape first hides the cursor, then shows
 * all data. The window follows the cursor. Returns undefined for all other keys, and if there is no point to go to.
 */
export function moveByKey(
  event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  model: Model,
  window: ChartWindow,
  cursor: number | null,
): KeyResult | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined
  const anchor = cursor ?? (window.from + window.to) / 2
  const part = (anchor - window.from) / (window.to - window.from)
  switch (event.key) {
    case 'ArrowLeft':
    case 'ArrowUp':
      return step(event.shiftKey, -1, model, window, cursor)
    case 'ArrowRight':
    case 'ArrowDown':
      return step(event.shiftKey, 1, model, window, cursor)
    case 'Home':
      return toEdge(model, window, 'from')
    case 'End':
      return toEdge(model, window, 'to')
    case '+':
    case '=':
      return { window: scaled(window, part, 0.5) }
    case '-':
      return { window: scaled(window, part, 2) }
    case 'Escape':
      return { cursor: null, window: 'all' }
    default:
      return undefined
  }
}

function step(
  far: boolean,
  direction: 1 | -1,
  model: Model,
  window: ChartWindow,
  cursor: number | null,
): KeyResult | undefined {
  if (cursor === null) return toEdge(model, window, direction > 0 ? 'from' : 'to')
  const tenth = (window.to - window.from) / 10
  const next = far
    ? nearestX(
        model,
        Math.min(model.full.to, Math.max(model.full.from, cursor + direction * tenth)),
        model.full,
      )
    : neighbourX(model, cursor, direction)
  if (next === undefined) return undefined
  const width = window.to - window.from
  if (next > window.to) return { cursor: next, window: moved(window, (next - window.to) / width) }
  if (next < window.from) return { cursor: next, window: moved(window, (next - window.from) / width) }
  return { cursor: next }
}

function toEdge(model: Model, window: ChartWindow, edge: 'from' | 'to'): KeyResult | undefined {
  const all = visibleSeries(model).flatMap(({ points }) => {
    const [first, end] = indexesInView(points, window)
    return end > first ? [points.x[edge === 'from' ? first : end - 1]!] : []
  })
  if (!all.length) return undefined
  const at = edge === 'from' ? Math.min(...all) : Math.max(...all)
  return { cursor: nearestX(model, at, window) ?? at }
}
