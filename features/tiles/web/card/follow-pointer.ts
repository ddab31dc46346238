/** A position of the pointer, in CSS pixels of the window. */
export interface Point {
  /** Distance from the left edge. */
  x: number
  /** Distance from the upper edge. */
  y: number
}

/** Distance in pixels from which a press becomes a drag. */
const slackPixels = 4
/** Distance to the edge in which the page scrolls, and its maximum speed. */
const edgePixels = 64
const pixelsPerMs = 1.2

/** Follows a pressed pointer until it is released. Returns a function that ends this early, without a drop. */
export function followPointer(
  handle: HTMLElement,
  pointerId: number,
  from: Point,
  handlers: {
    onMove: (at: Point) => void
    /** Called before each frame while dragging, even if the pointer does not move. */
    onFrame: (at: Point, elapsedMs: number) => void
    onDrop: (at: Point) => void
    /** Called at the end in every case. */
    onEnd: () => void
  },
): () => void {
  const listeners = new AbortController()
  // The window receives events even if the handle was rendered again.
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

/** Returns the position of a pointer event. */
export function pointOf({ clientX: x, clientY: y }: { clientX: number; clientY: number }): Point {
  return { x, y }
}

/** Returns the element that scrolls the tiles. */
export function scrollerOf(grid: HTMLElement): Element {
  for (let element = grid.parentElement; element !== null; element = element.parentElement)
    if (
      element.scrollHeight > element.clientHeight &&
      /auto|scroll/.test(getComputedStyle(element).overflowY)
    )
      return element
  return document.documentElement
}

/** Scrolls if the pointer is near the upper or lower edge, faster towards the edge. Returns whether it scrolled. */
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
