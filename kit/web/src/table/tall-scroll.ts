/**
 * Maximum height of a scroll area in pixels. Browsers render nothing beyond about 17 to 33 million pixels, so taller
 * lists are mapped onto this height.
 */
export const tallestAreaPx = 12_000_000
/** Number of pages of the scroll area of a list that is too tall. Each page has its own shift. */
const pagesInArea = 100

/** A position in a list: the scroll position of the area plus a shift. */
export interface ScrollPosition {
  /** Scroll position of the area in pixels. */
  scrollTop: number
  /** Pixels to add to the scroll position to get the position in the list. */
  shift: number
}

/**
 * Scrolls a list that is taller than the maximum scroll area. Within a page of the area, the list scrolls as far as the
 * area. The shift grows from page to page, so that the end of the area is the end of the list.
 */
export interface TallScroll {
  /** Height of the area. */
  areaPx: number
  /** Returns the scroll position for a position in the list after a small step, which can change the page. */
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
