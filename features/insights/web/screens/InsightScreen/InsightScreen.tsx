import { useEffect } from 'react'
import type { QueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import {
  lazyPart,
  links,
  notLoadedReason,
  Page,
  type PageAddress,
  PartBoundary,
  redirectState,
  reportError,
  useRecent,
  useSlot,
} from '@headwater/web-kit'
import { TileGridSkeleton } from '../../components/TileGridSkeleton.tsx'
import { preloadCharts, preloadTiles } from '@headwater/tiles/web'
import { insightQuery, useInsight } from '../../insights-client.ts'
import { preloadBuilder } from '../../lazy-parts.ts'
import { insightActions, insightFrames, insightViews } from '../../slots.ts'

const InsightWorkspace = lazyPart(async () => ({
  default: (await import('./InsightWorkspace.tsx')).InsightWorkspace,
}))

// Loads the code of the page while the insight is being requested.
InsightWorkspace.preload()
preloadCharts()
if (isEditing(new URLSearchParams(window.location.search))) preloadBuilder()

/** Preloads the insight of a URL into the cache. */
export async function preloadInsight({ params, search }: PageAddress, cache: QueryClient): Promise<void> {
  const { groupName = '', insightName = '' } = params
  const query = insightQuery({ groupName, insightName }, isEditing(search))
  await cache.prefetchQuery(query)
  preloadTiles(cache.getQueryData(query.queryKey)?.content.tiles ?? [])
}

function isEditing(search: URLSearchParams): boolean {
  return search.get('edit') === 'true'
}

/** The page of an insight. An insight that cannot be opened redirects to the list, with the reason. */
export default function InsightScreen() {
  const { groupName = '', insightName = '' } = useParams()
  const [search] = useSearchParams()
  const insight = useInsight({ groupName, insightName }, isEditing(search))
  const navigate = useNavigate()
  const views = useSlot(insightViews)
  const parts = [...useSlot(insightFrames), ...useSlot(insightActions)]
  useEffect(() => {
    for (const part of parts) part.preload()
    // oxlint-disable-next-line react/exhaustive-deps -- the parts never change
  }, [])
  const { error, data } = insight
  useRecent('INSIGHT', data && { name: data.insightName, groupName: data.groupName })
  useEffect(() => {
    if (error === null) return
    reportError(error)
    void navigate(links.insightList(), {
      replace: true,
      state: redirectState(notLoadedReason('Insight', error)),
    })
  }, [error, navigate])
  const waiting = (
    <Page>
      <TileGridSkeleton />
    </Page>
  )
  if (data === undefined) return waiting
  const viewName = search.get('view')?.toUpperCase()
  const view = data.writeAccess ? views.find(({ name }) => name === viewName) : undefined
  const key = `${groupName}/${insightName}`
  return (
    <PartBoundary fallback={waiting}>
      {view === undefined ? (
        <InsightWorkspace key={key} saved={data} />
      ) : (
        <view.Screen key={key} insight={data} />
      )}
    </PartBoundary>
  )
}
