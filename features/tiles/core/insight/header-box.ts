import { z } from 'zod'
import type { InsightContent, Tile } from '../../contract/index.ts'
import { newSeriesRange } from '../series/series-range.ts'
import { listOf, text } from '../common/loose-fields.ts'

/** What a header box holds: a text, or a statistic of a series. */
export const boxContents = ['TEXT', 'STATISTIC'] as const

/** A box above the tiles. The settings of its statistic are those of a stats tile with one series. */
export const headerBox = z.looseObject({
  id: z.string().min(1),
  title: text.describe('Stands above the value; a new one is called `Summary N`.'),
  content: z.enum(boxContents).catch('TEXT').describe('TEXT or STATISTIC, default TEXT.'),
  text: text.describe('What a box of the kind TEXT says; `{{label}}` is the value of an input parameter.'),
})
export type HeaderBox = z.output<typeof headerBox>

/** The most boxes of an insight. */
export const maxHeaderBoxes = 24

/** The header boxes of an insight that can be understood. */
export function headerBoxesOf({ headerBoxes }: Pick<InsightContent, 'headerBoxes'>): HeaderBox[] {
  return listOf(headerBox).parse(headerBoxes)
}

/** A new box, with the first number that no other one has in its title. */
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

/** A copy of a box with an id and a title of its own. */
export function copiedHeaderBox(box: HeaderBox, id: string, others: readonly HeaderBox[]): HeaderBox {
  return { ...structuredClone(box), id, title: freeTitle(others) }
}

/** A box as the tile that its statistic is read with. */
export function tileOfBox(box: HeaderBox): Tile {
  return { ...box, type: 'HEADER' }
}

function freeTitle(others: readonly HeaderBox[]): string {
  let number = others.length + 1
  while (others.some(({ title }) => title === `Summary ${number}`)) number++
  return `Summary ${number}`
}
