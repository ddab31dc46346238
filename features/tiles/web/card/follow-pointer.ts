/** Where a pointer is, in CSS pixels of the window. */
export interface Point {
  x: number
  y: number
}

/** The pointer moves so many pixels before a press becomes a drag. */
const slackPixels = 4
/** How near to its edge the page scrolls, and how fast at most. */
const edgePixels = 64
const pixelsPerMs = 1.2

/** Follows a pressed pointer until it is let go; what it answers with ends that early, without a drop. */
export function followPointer(
  handle: HTMLElement,
  pointerId: number,
  from: Point,
  handlers: {
    onMove: (at: Point) => void
    /** Before each picture while it is dragged, also when it stands still. */
    onFrame: (at: Point, elapsedMs: number) => void
    onDrop: (at: Point) => void
    /** However it ended. */
    onEnd: () => void
  },
): () => void {
  const listeners = new AbortController()
  // On the window, where the events arrive even when the handle was drawn anew meanwhile.
  const listen = (type: 'pointermove' | 'pointerup' | 'pointercancel', run: (event: PointerEvent) => void) =>
    window.addEventListener(type, (event) => event.pointerId === pointerId && run(event), {
      signal: listeners.signal,
    })
  let at = from
  let frame: number | undefined
  let lastFrame = performance.now()
  const nextFrame = () => {
    const now = performance.now()
    handlers.onFrame(at, now - lastFrame)
    lastFrame = now
    frame = requestAnimationFrame(nextFrame)
  }
  const end = () => {
    listeners.abort()
    if (frame !== undefined) cancelAnimationFrame(frame)
    if (handle.hasPointerCapture(pointerId)) handle.releasePointerCapture(pointerId)
    handlers.onEnd()
  }
  const move = (event: PointerEvent) => {
    at = pointOf(event)
    if (frame === undefined && Math.hypot(at.x - from.x, at.y - from.y) < slackPixels) return
    frame ??= requestAnimationFrame(nextFrame)
    handlers.onMove(at)
  }
  const drop = (event: PointerEvent) => {
    if (frame !== undefined) handlers.onDrop(pointOf(event))
    end()
  }
  handle.setPointerCapture(pointerId)
  listen('pointermove', move)
  listen('pointerup', drop)
  listen('pointercancel', end)
  return end
}

/** The place of an event of a pointer. */
export function pointOf({ clientX: x, clientY: y }: { clientX: number; clientY: number }): Point {
  return { x, y }
}

/** The element that scrolls the tiles. */
export function scrollerOf(grid: HTMLElement): Element {
  for (let element = grid.parentElement; element !== null; element = element.parentElement)
    if (
      element.scrollHeight > element.clientHeight &&
      /auto|scroll/.test(getComputedStyle(element).overflowY)
    )
      return element
  return document.documentElement
}

/** Scrolls when the pointer is near the upper or lower edge; the nearer, the faster. Whether it did. */
export function scrollNearEdge(scroller: Element, { y }: Point, elapsedMs: number): boolean {
  const rect = scroller.getBoundingClientRect()
  const top = Math.max(0, rect.top) + edgePixels
  const bottom = Math.min(window.innerHeight, rect.bottom) - edgePixels
  const over = y < top ? y - top : Math.max(0, y - bottom)
  if (over === 0) return false
  const speed = pixelsPerMs * Math.max(-1, Math.min(1, over / edgePixels))
  const before = scroller.scrollTop
  scroller.scrollTop += Math.round(speed * Math.min(elapsedMs, 100))
  return scroller.scrollTop !== before
}
