import { z } from 'zod'
import type { Tile } from '../../../contract/index.ts'
import { newSeriesRange } from '../../../core/series/series-range.ts'
import { listOf, text } from '../../../core/common/loose-fields.ts'

/** Number of values a new search tile asks for. */
export const searchLastAmount = 50
/** Width of a column of values in pixels unless it says otherwise. */
export const searchColumnWidth = 88
/** Bounds of the width of a column, in pixels. */
export const columnWidthBounds = { least: 40, most: 600 } as const

/** A field to search with: the key of symbols it looks at, and what stands in it at first. */
export const searchFilter = z.looseObject({
  filterKey: z.string().min(1).describe('Name of a symbol key.'),
  defaultValue: text.describe('What the field holds at first; empty = everything.'),
  label: text.describe('What stands above the field; empty = the key.'),
})
export type SearchFilter = z.output<typeof searchFilter>

/** A column of values of the symbol that is looked at. */
export const searchColumn = z.looseObject({
  columnId: z.string().min(1).describe('Name of a value column.'),
  header: text.describe('Its heading; empty = its name.'),
  columnWidth: z.coerce
    .number()
    .min(columnWidthBounds.least)
    .max(columnWidthBounds.most)
    .catch(searchColumnWidth)
    .describe('Width in pixels, default 88.'),
})
export type SearchColumn = z.output<typeof searchColumn>

/** The fields of a search tile besides those of every tile. */
export const searchTile = z.looseObject({
  groupNames: listOf(z.string().min(1)).describe('Groups whose symbols are found.'),
  filters: listOf(searchFilter).describe('Fields to search with; none = one field for everything.'),
  columns: listOf(searchColumn).describe('Columns of values; none = all of the symbol.'),
})

/** A new search. */
export function newSearchTile(id: string): Tile {
  return {
    id,
    type: 'SEARCH',
    title: 'Search',
    tileWidth: 'full',
    tileHeight: 'half',
    ...newSeriesRange(),
    lastTypeAmount: searchLastAmount,
    groupNames: [],
    filters: [],
    columns: [],
  }
}
