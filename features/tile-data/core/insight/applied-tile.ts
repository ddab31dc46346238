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

/** An insight with the choices of its page. */
export interface AppliedInsight {
  /** The definition. */
  content: InsightContent
  /** The sets of input parameters with their applied values. */
  sets: readonly AppliedSet[]
  /** The basket that was applied last. */
  basket: Basket
  /** The range that a reader chose for the page. Default: the range of each tile. */
  range?: ChosenRange | undefined
}

/**
 * Applies the basket, the parameters and the range of the page to a tile and its data prep. A tile that ignores other ranges or compares
 * years keeps its own. The range of parameters takes precedence over the range of the page.
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

/** Applies the basket and the parameters to a tile. */
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

/** A chart draws each item of the basket with the styles of its own series. */
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

/** A stats tile has one value for each item of the basket. */
function statSeries(basket: Basket): object[] {
  return columnsOf(basket).map((each) => ({ ...each, label: '' }))
}

/** Returns the columns of the basket items. An empty name means all columns. */
function columnsOf({ items }: Basket) {
  return items.flatMap(({ groupName, symbols, valueColumnNames }) =>
    (valueColumnNames.length === 0 ? [''] : valueColumnNames).map((column) => ({
      groupName,
      symbols,
      column,
    })),
  )
}
