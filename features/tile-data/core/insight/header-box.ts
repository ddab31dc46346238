import { z } from 'zod'
import type { InsightContent, Tile } from '../../contract/index.ts'
import { newSeriesRange } from '../series/series-range.ts'
import { listOf, text } from '../common/loose-fields.ts'

/** Content of a header box: text, or a statistic of a series. */
const boxContents = ['TEXT', 'STATISTIC'] as const

/** A box above the tiles. Its statistic has the same settings as a stats tile with one series. */
export const headerBox = z.looseObject({
  id: z.string().min(1),
  title: text.describe('Title above the value. A new box is called `Summary N`.'),
  content: z.enum(boxContents).catch('TEXT').describe('TEXT or STATISTIC, default TEXT.'),
  text: text.describe('Text of a TEXT box; `{{label}}` is the value of an input parameter.'),
})
/** A parsed {@link headerBox}. */
export type HeaderBox = z.output<typeof headerBox>

/** Maximum number of header boxes of an insight. */
export const maxHeaderBoxes = 24

/** Returns the valid header boxes of an insight. */
export function headerBoxesOf({ headerBoxes }: Pick<InsightContent, 'headerBoxes'>): HeaderBox[] {
  return listOf(headerBox).parse(headerBoxes)
}

/** Creates a box. Its title has the first free number. */
export function newHeaderBox(id: string, others: readonly HeaderBox[]): HeaderBox {
  return {
    ...newSeriesRange(),
    id,
    title: freeTitle(others),
    content: 'TEXT',
    text: '',
    series: [],
    statistic: 'LAST',
    comparison: 'VALUES',
    comparisonAmount: 1,
    sparkline: false,
    freshness: false,
  }
}

/** Copies a box with a new id and title. */
export function copiedHeaderBox(box: HeaderBox, id: string, others: readonly HeaderBox[]): HeaderBox {
  return { ...structuredClone(box), id, title: freeTitle(others) }
}

/** Returns the tile that computes the statistic of a box. */
export function tileOfBox(box: HeaderBox): Tile {
  return { ...box, type: 'HEADER' }
}

function freeTitle(others: readonly HeaderBox[]): string {
  let number = others.length + 1
  while (others.some(({ title }) => title === `Summary ${number}`)) number++
  return `Summary ${number}`
}
