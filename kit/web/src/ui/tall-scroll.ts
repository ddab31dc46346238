/**
 * The tallest a scrolled area is made, in pixels. Browsers draw nothing below some 17 to 33 million pixels, so the rows of
 * a longer list share this height.
 */
export const tallestAreaPx = 12_000_000
/** An area that is too tall is scrolled in so many pages, each with a shift of its own. */
const pagesInArea = 100

/** A place in a list: where the area is scrolled to, and what has to be added to get the place in the list. */
export interface ScrollPlace {
  scrollTop: number
  shift: number
}

/**
 * How a list is scrolled that is taller than an area can be. Within a page of the area the list moves pixel by pixel with
 * it; from page to page the shift grows, so that the last pixel of the area is the last pixel of the list.
 */
export interface TallScroll {
  /** Height of the area. */
  areaPx: number
  /** The place for a position in the list, as after a small step; the area may have to be moved for it. */
  placeOf: (positionPx: number) => ScrollPlace
  /** The shift for a place that was jumped to by the scroll bar. */
  shiftAfterJump: (scrollTop: number) => number
}

/**
 * @param contentPx height of all rows
 * @param viewPx height of what is seen of them
 */
export function tallScroll(contentPx: number, viewPx: number): TallScroll {
  if (contentPx <= tallestAreaPx) {
    return {
      areaPx: contentPx,
      placeOf: (positionPx) => ({ scrollTop: positionPx, shift: 0 }),
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
    placeOf(positionPx) {
      const shift = shiftAt(positionPx)
      return { scrollTop: positionPx - shift, shift }
    },
    shiftAfterJump: (scrollTop) => shiftAt((scrollTop * (contentPx - viewPx)) / (tallestAreaPx - viewPx)),
  }
}
