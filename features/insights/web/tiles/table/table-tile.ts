import { z } from 'zod'
import type { Tile } from '../../../contract/index.ts'
import { newSeriesRange } from '../../series/series-range.ts'
import { condition } from '../condition.ts'
import { colour, listOf, text } from '../loose-fields.ts'

/** Styles of text in a table. */
export const textStyles = ['bold', 'normal', 'lighter'] as const
export const textAligns = ['left', 'center', 'right'] as const
export const sortOrders = ['Ascending', 'Descending'] as const

/** One column of a table tile. What cannot be understood becomes the default. */
export const tableColumn = z.looseObject({
  columnId: z
    .string()
    .min(1)
    .describe('Name of the column in the data: a symbol key, Date or a value column.'),
  header: text.describe('Text of the header; empty = the name.'),
  hidden: z.boolean().catch(false).describe('Whether it is not shown.'),
  textAlign: z.enum(textAligns).optional().catch(undefined).describe('Absent = numbers right, text left.'),
  textStyle: z.enum(textStyles).catch('normal'),
  textColor: colour,
  bgColor: colour,
  fontSize: z
    .number()
    .min(8)
    .max(32)
    .optional()
    .catch(undefined)
    .describe('Pixels, 8 to 32; absent = as the page.'),
  unit: text.describe('Written with each number.'),
  unitOnFront: z.boolean().catch(false).describe('Whether the unit stands in front.'),
  columnWidth: z
    .number()
    .min(40)
    .max(1000)
    .optional()
    .catch(undefined)
    .describe('Pixels, 40 to 1000; absent = by content.'),
  isNumber: z.boolean().optional().catch(undefined).describe('Absent = what the data say.'),
})
export type TableColumn = z.output<typeof tableColumn>

/** A rule that styles cells. */
export const tableRule = z.looseObject({
  applyTo: z.string().catch('ALL').describe('Id of a column, or ALL.'),
  condition,
  conditionValueA: z.union([z.string(), z.number()]).transform(String).catch(''),
  conditionValueB: z.union([z.string(), z.number()]).transform(String).catch(''),
  textColor: colour,
  bgColor: colour,
  textStyle: z.enum(textStyles).optional().catch(undefined),
})
export type TableRule = z.output<typeof tableRule>

/** The fields of a table tile besides those of every tile. */
export const tableTile = z.looseObject({
  columns: listOf(tableColumn),
  sortingColumns: listOf(
    z.looseObject({
      id: z.string().optional(),
      columnName: z.string().min(1),
      sortOrder: z.enum(sortOrders).catch('Ascending'),
    }),
  ),
  conditionalFormatting: listOf(tableRule),
})
export type TableTile = z.output<typeof tableTile>

/** A new table. */
export function newTableTile(id: string): Tile {
  return {
    id,
    type: 'Table',
    title: 'Table',
    tileWidth: 'full',
    tileHeight: 'half',
    source: { type: 'DATA_PREP', value: id },
    ...newSeriesRange(),
    columns: [],
    sortingColumns: [],
    conditionalFormatting: [],
  }
}
