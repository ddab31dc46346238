import type { ChartWindow } from './chart-handle.ts'

/** Chart functions that the gestures use. Positions are fractions of the plot, from 0 to 1. */
export interface GestureTarget {
  /** Element with the listeners; contains plot and axes. */
  surface: HTMLElement
  /** Returns the rectangle of the plot on screen. */
  plot: () => DOMRect
  /** Returns whether x runs downwards. */
  vertical: () => boolean
  /** Returns the visible window. */
  view: () => ChartWindow
  /** Shows crosshair and tooltip at a position; null hides them. */
  point: (event: PointerEvent | null) => void
  /** Shows the zoom selection; null hides it. */
  mark: (stretch: [number, number] | null) => void
  /** Sets the window. */
  zoom: (window: ChartWindow) => void
  /** Shows all data. */
  reset: () => void
  /** Called when panning starts (true) and ends (false). */
  panning: (on: boolean) => void
}

const CLICK = 4

/**
 * Adds listeners for the gestures: dragging selects a range of x to zoom to; Shift+drag and dragging on an axis pan;
 * Ctrl+wheel (which browsers also send for a pinch on a touchpad) zooms around the pointer; Shift+wheel pans; two fingers
 * zoom and pan; a double click shows all data. Returns a function that removes the listeners.
 */
export function listenToGestures(target: GestureTarget): () => void {
  const { surface } = target
  const stop = new AbortController()
  const on = <K extends keyof HTMLElementEventMap>(
    type: K,
    listener: (event: HTMLElementEventMap[K]) => void,
    options?: AddEventListenerOptions,
  ) => surface.addEventListener(type, listener, { signal: stop.signal, ...options })
  const fingers = new Map<number, number>()
  let drag: { mode: 'mark' | 'pan'; start: number; window: ChartWindow } | undefined

  const part = (event: { clientX: number; clientY: number }) => {
    const rect = target.plot()
    return target.vertical()
      ? (event.clientY - rect.top) / rect.height
      : (event.clientX - rect.left) / rect.width
  }
  const inPlot = (event: PointerEvent) => {
    const rect = target.plot()
    const { clientX: x, clientY: y } = event
    return x >= rect.left && x <= rect.right && y >= rect.top && y <= rect.bottom
  }
  const length = () => (target.vertical() ? target.plot().height : target.plot().width)
  const end = () => {
    drag = undefined
    target.mark(null)
    target.panning(false)
  }

  on('pointerdown', (event) => {
    if (event.button !== 0) return
    if (event.pointerType === 'touch') {
      fingers.set(event.pointerId, part(event))
      target.point(fingers.size === 1 && inPlot(event) ? event : null)
      return
    }
    const mode = event.shiftKey || !inPlot(event) ? 'pan' : 'mark'
    drag = { mode, start: part(event), window: target.view() }
    surface.setPointerCapture(event.pointerId)
    if (mode === 'pan') {
      target.panning(true)
      target.point(null)
    }
  })
  on('pointermove', (event) => {
    if (fingers.has(event.pointerId)) {
      if (fingers.size > 1) target.zoom(pinched(fingers, event.pointerId, part(event), target.view()))
      else target.point(event)
      fingers.set(event.pointerId, part(event))
      return
    }
    if (drag?.mode === 'pan') {
      target.zoom(moved(drag.window, drag.start - part(event)))
      return
    }
    target.point(inPlot(event) || drag ? event : null)
    if (drag) target.mark(ordered(drag.start, part(event)))
  })
  on('pointerup', (event) => {
    fingers.delete(event.pointerId)
    if (drag?.mode === 'mark') {
      const [a, b] = ordered(drag.start, part(event))
      const { from, to } = drag.window
      end()
      if ((b - a) * length() > CLICK)
        target.zoom({ from: from + (to - from) * a, to: from + (to - from) * b })
    }
    end()
  })
  on('pointercancel', (event) => {
    fingers.delete(event.pointerId)
    end()
  })
  on('pointerleave', (event) => {
    if (!drag && event.pointerType !== 'touch') target.point(null)
  })
  on('dblclick', () => target.reset())
  on(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return
      event.preventDefault()
      const delta = event.deltaY || event.deltaX
      if (event.shiftKey && !event.ctrlKey && !event.metaKey)
        target.zoom(moved(target.view(), delta / length()))
      else target.zoom(scaled(target.view(), part(event), Math.exp(Math.max(-1, Math.min(1, delta * 0.004)))))
    },
    { passive: false },
  )
  return () => stop.abort()
}

/** Scales a window around a position in it. */
export function scaled({ from, to }: ChartWindow, part: number, factor: number): ChartWindow {
  const anchor = from + (to - from) * part
  return { from: anchor - (anchor - from) * factor, to: anchor + (to - anchor) * factor }
}

/** Moves a window by a fraction of its width. */
export function moved({ from, to }: ChartWindow, part: number): ChartWindow {
  const by = (to - from) * part
  return { from: from + by, to: to + by }
}

/** Returns the window in which both fingers stay at their x values. */
function pinched(
  fingers: ReadonlyMap<number, number>,
  id: number,
  now: number,
  view: ChartWindow,
): ChartWindow {
  const other = [...fingers].find(([key]) => key !== id)![1]
  const before = fingers.get(id)! - other
  const after = now - other
  if (Math.abs(after) < 0.02 || before * after <= 0) return view
  return scaled(view, other, before / after)
}

function ordered(a: number, b: number): [number, number] {
  const low = Math.max(0, Math.min(1, Math.min(a, b)))
  return [low, Math.max(0, Math.min(1, Math.max(a, b)))]
}
