import { useEffect, useState } from 'react'
import { useQueries } from '@tanstack/react-query'
import {
  forgetRecent,
  intervals,
  recents,
  recentTypes,
  refreshEvery,
  type Recent,
  type SearchProvider,
} from '@headwater/web-kit'
import { SearchHits } from './SearchHits.tsx'
import { SearchSection } from './SearchSection.tsx'
import styles from './SearchPanel.module.css'

/** Objects that were opened recently in this browser, by type, if they still exist. */
export function SearchRecents({
  blocks,
  onOpen,
}: {
  blocks: readonly SearchProvider[]
  onOpen: (() => void) | undefined
}) {
  const [all] = useState(recents)
  return recentTypes.map((type) => {
    const block = blocks.find((each) => each.recents?.type === type)
    if (block?.recents === undefined) return null
    return (
      <RecentSection
        key={type}
        block={block}
        find={block.recents.find}
        recents={all.filter((recent) => recent.type === type)}
        onOpen={onOpen}
      />
    )
  })
}

function RecentSection({
  block,
  find,
  recents: stored,
  onOpen,
}: {
  block: SearchProvider
  find: NonNullable<SearchProvider['recents']>['find']
  recents: readonly Recent[]
  onOpen: (() => void) | undefined
}) {
  const lookups = useQueries({
    queries: stored.map((recent) => ({
      queryKey: ['recent', recent],
      // null, because a query must not return undefined
      queryFn: async ({ signal }: { signal: AbortSignal }) => (await find(recent, signal)) ?? null,
      refetchInterval: refreshEvery(intervals.recentStatusMs),
    })),
  })
  const gone = stored.filter((_, at) => lookups[at]?.data === null)
  const goneKey = JSON.stringify(gone)
  useEffect(() => {
    for (const recent of JSON.parse(goneKey) as Recent[]) forgetRecent(recent)
  }, [goneKey])
  const hits = lookups.flatMap(({ data }) => data ?? [])
  const waiting = lookups.some(({ isPending }) => isPending)
  return (
    <SearchSection
      label={`Recent ${block.label.toLowerCase()}`}
      allHref={block.seeAllHref?.('')}
      waiting={waiting && hits.length === 0}
      waitingRows={stored.length}
      onOpen={onOpen}
    >
      {!waiting && hits.length === 0 ? (
        <p className={styles.none}>Recently opened items appear here.</p>
      ) : (
        <SearchHits hits={hits} onOpen={onOpen} />
      )}
    </SearchSection>
  )
}
