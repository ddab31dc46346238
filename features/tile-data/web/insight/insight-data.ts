import { createContext, useContext, useMemo } from 'react'
import { basketOf, type Basket } from '../../core/basket/basket.ts'
import { emptyContent, type Tile, type TileDataPrep } from '../../contract/index.ts'
import type { PageRange } from '../../core/params/page-range.ts'
import { appliedTile, type AppliedInsight } from '../../core/insight/applied-tile.ts'
import { followsPage } from '../../core/insight/tile-range.ts'
import { draftRoute, type TileDataRoute } from '../requests/tile-data-route.ts'
import { previewedTile } from '../../core/insight/row-preview.ts'
import { useRowPreview } from './row-preview.ts'

/** The insight of a tile, with the choices of its page. */
export interface InsightData extends AppliedInsight {
  /** Name of the insight; undefined for an unsaved insight, and for visitors. */
  name?: { insightName: string; groupName: string } | undefined
  /** User name of the author of the version; undefined for an unsaved insight, and for visitors. */
  author?: string | undefined
  /** The route for the data of the tiles. */
  route: TileDataRoute
  /** Basket that replaces the stored basket; undefined: the stored basket. */
  ownBasket?: Basket | undefined
  /** The range in the URL; if undefined, each tile uses its own. */
  pageRange?: PageRange | undefined
}

const nothing: InsightData = {
  content: emptyContent(),
  sets: [],
  basket: basketOf(emptyContent()),
  route: draftRoute,
}

/** The insight of the page. */
export const InsightDataContext = createContext<InsightData>(nothing)

/** Returns the insight of the page with its choices. */
export function useInsightData(): InsightData {
  return useContext(InsightDataContext)
}

/** Returns whether the range of the page changes a visible tile. */
export function useHasPageRange(): boolean {
  const insight = useInsightData()
  return useMemo(
    () => insight.content.tiles.some((tile) => tile.hidden !== true && followsPage(tile, insight)),
    [insight],
  )
}

/** Applies the basket, the parameters and the previewed row to a tile and its data prep. */
export function useAppliedTile(tile: Tile, dataPrep: TileDataPrep): { tile: Tile; dataPrep: TileDataPrep } {
  const data = useInsightData()
  const { preview } = useRowPreview()
  return useMemo(() => {
    const applied = appliedTile(tile, dataPrep, data)
    return previewedTile(applied.tile, applied.dataPrep, preview)
  }, [tile, dataPrep, data, preview])
}
