import { z } from 'zod'
import type { Tile } from '@headwater/tile-data/contract'
import { newSeriesRange, listOf, text } from '@headwater/tile-data/core'

/** Default number of values of a search tile. */
const searchLastAmount = 50
/** Default width of a value column, in pixels. */
export const searchColumnWidth = 88
/** Bounds of the width of a column, in pixels. */
const columnWidthBounds = { least: 40, most: 600 } as const

/** A search field: a symbol key and a default text. */
export const searchFilter = z.looseObject({
  filterKey: z.string().min(1).describe('Name of a symbol key.'),
  defaultValue: text.describe('Default text; empty means everything.'),
  label: text.describe('Label; empty means the key.'),
})
/** A parsed {@link searchFilter}. */
export type SearchFilter = z.output<typeof searchFilter>

/** A value column of the selected symbol. */
export const searchColumn = z.looseObject({
  columnId: z.string().min(1).describe('Name of a value column.'),
  header: text.describe('Its heading; empty means its name.'),
  columnWidth: z.coerce
    .number()
    .min(columnWidthBounds.least)
    .max(columnWidthBounds.most)
    .catch(searchColumnWidth)
    .describe('Width in pixels, default 88.'),
})
/** A parsed {@link searchColumn}. */
export type SearchColumn = z.output<typeof searchColumn>

/** The fields of a search tile in addition to {@link commonTile}. */
export const searchTile = z.looseObject({
  groupNames: listOf(z.string().min(1)).describe('Groups to search.'),
  filters: listOf(searchFilter).describe('Search fields; without any, one field searches everything.'),
  columns: listOf(searchColumn).describe('Columns of values; without any, all of the symbol.'),
})

/** Creates a search tile. */
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
