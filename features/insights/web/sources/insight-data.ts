import { createContext, useContext, useMemo } from 'react'
import { emptyContent, type InsightContent, type Tile, type TileDataPrep } from '../../contract/index.ts'
import { basketOf, basketSymbols, type Basket } from '../basket/basket.ts'
import { boundTile, type AppliedSet } from '../params/bind-tile.ts'
import { previewedTile, useRowPreview } from './row-preview.ts'
import { tileSourceOf } from './tile-source.ts'

/** What tiles need to know of the insight they stand in. */
export interface InsightData {
  /** Undefined for one that was never saved, and for visitors. */
  name?: { insightName: string; groupName: string } | undefined
  content: InsightContent
  /** The sets of input parameters and what is applied of each. */
  sets: readonly AppliedSet[]
  /** The basket as it was last applied. */
  basket: Basket
}

const nothing: InsightData = { content: emptyContent(), sets: [], basket: basketOf(emptyContent()) }

export const InsightDataContext = createContext<InsightData>(nothing)

/** The insight around, with what is applied in it. */
export function useInsightData(): InsightData {
  return useContext(InsightDataContext)
}

/** A tile and what it asks for as they are shown: with the basket, the parameters and the row it is bound to. */
export function useShownTile(tile: Tile, dataPrep: TileDataPrep): { tile: Tile; dataPrep: TileDataPrep } {
  const data = useInsightData()
  const { preview } = useRowPreview()
  return useMemo(() => {
    const shown = shownTile(tile, dataPrep, data)
    return previewedTile(shown.tile, shown.dataPrep, preview)
  }, [tile, dataPrep, data, preview])
}

/** The same without React. */
export function shownTile(
  tile: Tile,
  dataPrep: TileDataPrep,
  { basket, sets }: Pick<InsightData, 'basket' | 'sets'>,
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
