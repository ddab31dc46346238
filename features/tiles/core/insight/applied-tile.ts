import { basketSymbols, type Basket } from '../basket/basket.ts'
import {
  comparesYears,
  keepsOwnRange,
  type InsightContent,
  type Tile,
  type TileDataPrep,
} from '../../contract/index.ts'
import { boundTile, chosenRangeFields, setOfTile, type AppliedSet } from '../params/bind-tile.ts'
import type { ChosenRange } from '../params/param-values.ts'
import { tileSourceOf } from '../sources/tile-source.ts'

/** An insight with what is applied in it. */
export interface AppliedInsight {
  content: InsightContent
  /** The sets of input parameters and what is applied of each. */
  sets: readonly AppliedSet[]
  /** The basket as it was last applied. */
  basket: Basket
  /** The range that a reader chose for the page, in place of those of its tiles; absent = each tile keeps its own. */
  range?: ChosenRange | undefined
}

/**
 * A tile and what it asks for as they are shown: with the basket, the parameters it is bound to, and the range of the
 * page. The range of a tile that keeps its own or compares years stays; that of its parameters comes before that of the page.
 */
export function appliedTile(
  tile: Tile,
  dataPrep: TileDataPrep,
  insight: Pick<AppliedInsight, 'basket' | 'sets' | 'range'>,
): { tile: Tile; dataPrep: TileDataPrep } {
  const filled = filledTile(tile, dataPrep, insight)
  const { range, sets } = insight
  if (range === undefined || keepsOwnRange(tile) || comparesYears(tile)) return filled
  if (setOfTile(tile, sets)?.chosen.range !== undefined) return filled
  return { ...filled, tile: { ...filled.tile, ...chosenRangeFields(range) } }
}

/** A tile with the basket and the parameters it is bound to. */
function filledTile(
  tile: Tile,
  dataPrep: TileDataPrep,
  { basket, sets }: Pick<AppliedInsight, 'basket' | 'sets'>,
): { tile: Tile; dataPrep: TileDataPrep } {
  if (tileSourceOf(tile, dataPrep).kind !== 'basket') return boundTile(tile, dataPrep, sets)
  const series =
    tile.type === 'Chart' ? chartSeries(tile, basket) : tile.type === 'STATS' ? statSeries(basket) : undefined
  const filled = { ...tile, ...basket.settings, ...(series === undefined ? {} : { series }) }
  return boundTile(filled, { ...dataPrep, symbols: basketSymbols(basket) }, sets)
}

/** A chart draws each item of the basket; the looks of its own series go to them in turn. */
function chartSeries({ series }: Tile, basket: Basket): object[] {
  const looks = Array.isArray(series) ? (series as object[]) : []
  return columnsOf(basket).map(({ groupName, symbols, column }, index) => ({
    ...looks[index],
    groupName,
    symbolList: [symbols],
    column,
    columnXAxis: '',
    dynamic: true,
    label: '',
  }))
}

/** A stats tile says something of each item of the basket. */
function statSeries(basket: Basket): object[] {
  return columnsOf(basket).map((each) => ({ ...each, label: '' }))
}

/** The items of the basket column by column; an empty one means all. */
function columnsOf({ items }: Basket) {
  return items.flatMap(({ groupName, symbols, valueColumnNames }) =>
    (valueColumnNames.length === 0 ? [''] : valueColumnNames).map((column) => ({
      groupName,
      symbols,
      column,
    })),
  )
}
