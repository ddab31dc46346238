import type { GuideStep } from './guide-steps.ts'

/** A rectangle of the window, in pixels. */
export interface Box {
  /** Distance from the left edge of the window. */
  left: number
  /** Distance from the top edge of the window. */
  top: number
  /** Horizontal size. */
  width: number
  /** Vertical size. */
  height: number
}

/** Distance of a step from its anchor and from the edge of the window, in pixels. */
const gapPx = 10

/** Returns the position of a step: at its anchor, entirely inside the window; without an anchor in the lower right corner. */
export function positionStep(
  anchor: Box | undefined,
  side: GuideStep['side'],
  card: Pick<Box, 'width' | 'height'>,
  window: Pick<Box, 'width' | 'height'>,
): Pick<Box, 'left' | 'top'> {
  const most = {
    left: window.width - card.width - gapPx,
    top: window.height - card.height - gapPx,
  }
  if (anchor === undefined) return { left: Math.max(gapPx, most.left), top: Math.max(gapPx, most.top) }
  const wanted = {
    left: { left: anchor.left - card.width - gapPx, top: anchor.top },
    below: {
      left: anchor.left + (anchor.width - card.width) / 2,
      top: anchor.top + anchor.height + gapPx,
    },
  }[side]
  return {
    left: Math.max(gapPx, Math.min(wanted.left, most.left)),
    top: Math.max(gapPx, Math.min(wanted.top, most.top)),
  }
}
