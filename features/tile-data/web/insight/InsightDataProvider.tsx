import { type ReactNode, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { InsightContent } from '../../contract/index.ts'
import { basketOf, type Basket } from '../../core/basket/basket.ts'
import { pageRangeIn } from '../../core/params/page-range.ts'
import { paramSetsOf } from '../../core/params/param-set.ts'
import { valuesInUrl } from '../../core/params/param-values.ts'
import type { TileDataRoute } from '../requests/tile-data-route.ts'
import { InsightDataContext } from './insight-data.ts'
import type { RowPreview } from '../../core/insight/row-preview.ts'
import { RowPreviewContext } from './row-preview.ts'

/** Provides the parameters of the URL and the basket to the tiles. */
export function InsightDataProvider({
  name,
  author,
  content,
  route,
  basket,
  followsUrlRange = false,
  children,
}: {
  /** Name of the insight; undefined for an unsaved insight, and for visitors. */
  name?: { insightName: string; groupName: string } | undefined
  /** User name of the author of the version; undefined for an unsaved insight, and for visitors. */
  author?: string | undefined
  content: InsightContent
  /** The route for the data of the tiles. */
  route: TileDataRoute
  /** Basket that replaces the stored basket; undefined: the stored basket. */
  basket: Basket | undefined
  /** Whether tiles follow the range in the URL. Default false. */
  followsUrlRange?: boolean
  children: ReactNode
}) {
  const [search] = useSearchParams()
  const { inputParams } = content
  const { insightName, groupName } = name ?? {}
  const all = useMemo(() => paramSetsOf({ inputParams }), [inputParams])
  const applied = useMemo(() => all.map((set) => ({ set, chosen: valuesInUrl(set, search) })), [all, search])
  const key = JSON.stringify(applied)
  // oxlint-disable-next-line react/exhaustive-deps -- equal values keep their object when other parts of the URL change
  const sets = useMemo(() => applied, [key])
  // The year of a preset is the current year in UTC, the default zone of tiles.
  const chosenRange = followsUrlRange ? pageRangeIn(search, new Date().toISOString()) : undefined
  const rangeKey = JSON.stringify(chosenRange)
  // oxlint-disable-next-line react/exhaustive-deps -- an equal range keeps its object when other parts of the URL change
  const pageRange = useMemo(() => chosenRange, [rangeKey])
  // oxlint-disable-next-line react/exhaustive-deps -- a route with the same key keeps its object
  const stableRoute = useMemo(() => route, [route.key])
  const data = useMemo(
    () => ({
      ...(insightName === undefined || groupName === undefined ? {} : { name: { insightName, groupName } }),
      author,
      content,
      sets,
      route: stableRoute,
      basket: basket ?? basketOf(content),
      ownBasket: basket,
      pageRange,
      range: pageRange?.chosen,
    }),
    [insightName, groupName, author, content, stableRoute, sets, basket, pageRange],
  )
  const [preview, setPreview] = useState<RowPreview>()
  const previewing = useMemo(() => ({ preview, setPreview }), [preview])
  return (
    <InsightDataContext value={data}>
      <RowPreviewContext value={previewing}>{children}</RowPreviewContext>
    </InsightDataContext>
  )
}
