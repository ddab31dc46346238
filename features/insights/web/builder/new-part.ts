import type { InsightContent } from '@headwater/tiles/contract'
import {
  footerButtonsOf,
  maxFooterButtons,
  newFooterButton,
  withFooterButtons,
} from '../footer/footer-button.ts'
import { headerBoxesOf, maxHeaderBoxes, newHeaderBox } from '@headwater/tiles/core'

/** What stands above or below the tiles: a summary box, a footer button. */
export type NewPart = 'box' | 'button'

/** Whether another one can be added. */
export function hasRoomFor(content: InsightContent, part: NewPart): boolean {
  return part === 'box'
    ? headerBoxesOf(content).length < maxHeaderBoxes
    : footerButtonsOf(content).length < maxFooterButtons
}

/** The fields of a definition with a new part behind the others. */
export function withNewPart(content: InsightContent, part: NewPart, id: string): Partial<InsightContent> {
  if (part === 'box') {
    const boxes = headerBoxesOf(content)
    return { headerBoxes: [...boxes, newHeaderBox(id, boxes)] }
  }
  const buttons = footerButtonsOf(content)
  return withFooterButtons(content, [...buttons, newFooterButton(id, buttons)])
}
