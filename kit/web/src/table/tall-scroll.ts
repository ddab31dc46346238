/**
 * Maximum height of a scrolled area in pixels. Browsers draw nothing below some 17 to 33 million pixels, so the rows of
 * a longer list share this height.
 */
export const tallestAreaPx = 12_000_000
/** Number of pages of an area that is too tall, each with its own shift. */
const pagesInArea = 100

/** A position in a list: the scroll position of the area, and the shift to add for the position in the list. */
export interface ScrollPosition {
  /** Scroll position of the area in pixels. */
  scrollTop: number
  /** Pixels to add for the position in the list. */
  shift: number
}

/**
 * Scrolling of a list that is taller than an area can be. Within a page of the area the list moves pixel by pixel with it. From
 * page to page the shift grows, so that the last pixel of the area is the last pixel of the list.
 */
export interface TallScroll {
  /** Height of the area. */
  areaPx: number
  /** Returns the scroll position for a position in the list after a small step, which can move the area. */
  scrollPositionOf: (positionPx: number) => ScrollPosition
  /** Returns the shift after a jump of the scroll bar. */
  shiftAfterJump: (scrollTop: number) => number
}

/**
 * Creates the scrolling of a list.
 * @param contentPx height of all rows
 * @param viewPx height of the visible part
 */
export function tallScroll(contentPx: number, viewPx: number): TallScroll {
  if (contentPx <= tallestAreaPx) {
    return {
      areaPx: contentPx,
      scrollPositionOf: (positionPx) => ({ scrollTop: positionPx, shift: 0 }),
      shiftAfterJump: () => 0,
    }
  }
  const pagePx = tallestAreaPx / pagesInArea
  const lastPage = Math.floor(contentPx / pagePx) - 1
  const shiftPerPage = (contentPx - tallestAreaPx) / lastPage
  const shiftAt = (positionPx: number) =>
    Math.round(Math.min(lastPage, Math.max(0, Math.floor(positionPx / pagePx))) * shiftPerPage)
  return {
    areaPx: tallestAreaPx,
    scrollPositionOf(positionPx) {
      const shift = shiftAt(positionPx)
      return { scrollTop: positionPx - shift, shift }
    },
    shiftAfterJump: (scrollTop) => shiftAt((scrollTop * (contentPx - viewPx)) / (tallestAreaPx - viewPx)),
  }
}
