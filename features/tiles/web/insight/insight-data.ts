import { createContext, useContext, useMemo } from 'react'
import { basketOf, type Basket } from '../../core/basket/basket.ts'
import { emptyContent, type Tile, type TileDataPrep } from '../../contract/index.ts'
import type { PageRange } from '../../core/params/page-range.ts'
import { appliedTile, type AppliedInsight } from '../../core/insight/applied-tile.ts'
import { followsPage } from '../../core/insight/tile-range.ts'
import { draftRoute, type TileDataRoute } from '../tile-data/tile-data-route.ts'
import { previewedTile } from '../../core/insight/row-preview.ts'
import { useRowPreview } from './row-preview.ts'

/** What tiles need to know of the insight they stand in. */
export interface InsightData extends AppliedInsight {
  /** Undefined for one that was never saved, and for visitors. */
  name?: { insightName: string; groupName: string } | undefined
  /** Where the page requests the data of its tiles. */
  route: TileDataRoute
  /** The basket in place of the stored one; undefined = the stored one. */
  ownBasket?: Basket | undefined
  /** The range that the address chooses for the page; undefined = each tile keeps its own. */
  pageRange?: PageRange | undefined
}

const nothing: InsightData = {
  content: emptyContent(),
  sets: [],
  basket: basketOf(emptyContent()),
  route: draftRoute,
}

export const InsightDataContext = createContext<InsightData>(nothing)

/** The insight around, with what is applied in it. */
export function useInsightData(): InsightData {
  return useContext(InsightDataContext)
}

/** Whether a range that is chosen for the page changes what some tile shows; hidden tiles do not count. */
export function useHasPageRange(): boolean {
  const insight = useInsightData()
  return useMemo(
    () => insight.content.tiles.some((tile) => tile.hidden !== true && followsPage(tile, insight)),
    [insight],
  )
}

/** A tile and what it asks for as they are shown: with the basket, the parameters and the row it is bound to. */
export function useAppliedTile(tile: Tile, dataPrep: TileDataPrep): { tile: Tile; dataPrep: TileDataPrep } {
  const data = useInsightData()
  const { preview } = useRowPreview()
  return useMemo(() => {
    const applied = appliedTile(tile, dataPrep, data)
    return previewedTile(applied.tile, applied.dataPrep, preview)
  }, [tile, dataPrep, data, preview])
}
