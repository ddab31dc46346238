import type { InsightContent } from '@headwater/tile-data/contract'
import {
  footerButtonsOf,
  maxFooterButtons,
  newFooterButton,
  withFooterButtons,
} from '../footer/footer-button.ts'
import type { Adding } from './adding.ts'
import { newId } from './new-id.ts'
import { headerBoxesOf, maxHeaderBoxes, newHeaderBox } from '@headwater/tile-data/core'

/** A part above or below the tiles: a summary box or a footer button. */
export type NewPart = 'box' | 'button'

/** Returns whether another part can be added. */
export function canAddPart(content: InsightContent, part: NewPart): boolean {
  return part === 'box'
    ? headerBoxesOf(content).length < maxHeaderBoxes
    : footerButtonsOf(content).length < maxFooterButtons
}

/** Returns the fields of a definition with a new part after the others. */
function withNewPart(content: InsightContent, part: NewPart, id: string): Partial<InsightContent> {
  if (part === 'box') {
    const boxes = headerBoxesOf(content)
    return { headerBoxes: [...boxes, newHeaderBox(id, boxes)] }
  }
  const buttons = footerButtonsOf(content)
  return withFooterButtons(content, [...buttons, newFooterButton(id, buttons)])
}

/** Adds a part and selects it. */
export function addPart(part: NewPart, content: InsightContent, { onPart }: Adding): void {
  const id = newId()
  onPart(withNewPart(content, part, id), id)
}
