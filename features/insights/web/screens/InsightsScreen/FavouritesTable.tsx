import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useQueries } from '@tanstack/react-query'
import IconStar from '@tabler/icons-react/dist/esm/icons/IconStar.mjs'
import { call, DataTable, EmptyState, intervals, links, refreshEvery, routeKey } from '@headwater/web-kit'
import { searchInsights, type InsightSummary } from '../../../contract/index.ts'
import { DeleteInsightDialog } from '../../components/DeleteInsightDialog.tsx'
import { type InsightName, useFavouriteInsights } from '../../insights-client.ts'
import { insightColumns } from './insight-columns.tsx'

/** The favourite insights of the user that still exist. Each is searched separately. */
export function FavouritesTable({ groupName, text }: { groupName: string | undefined; text: string }) {
  const navigate = useNavigate()
  const [deleted, setDeleted] = useState<InsightSummary>()
  const { names } = useFavouriteInsights()
  const favourites = useQueries({
    queries: names.map((name) => {
      const query = searchFor(name)
      return {
        queryKey: routeKey(searchInsights, { query }),
        queryFn: ({ signal }: { signal: AbortSignal }) => call(searchInsights, { query }, { signal }),
        refetchInterval: refreshEvery(intervals.favouritesMs),
      }
    }),
    combine: (results) => ({
      loading: results.some(({ data, error }) => data === undefined && error === null),
      error: results.find(({ error }) => error !== null)?.error ?? null,
      items: results.flatMap(({ data }) => data?.items ?? []),
      retry: () => results.forEach(({ refetch }) => void refetch()),
    }),
  })
  const pattern = text.toLowerCase()
  const rows = favourites.items.filter(
    (insight) =>
      (groupName === undefined || insight.groupName === groupName) &&
      insight.insightName.toLowerCase().includes(pattern),
  )
  return (
    <>
      <DataTable
        label="Favourite insights"
        rowHeight={36}
        columns={insightColumns({ groupName, onDelete: setDeleted })}
        rowKey={(insight) => `${insight.groupName}/${insight.insightName}`}
        rows={favourites.loading ? undefined : rows}
        error={favourites.error}
        onRetry={favourites.retry}
        onOpenRow={(insight) => void navigate(links.insight(insight.groupName, insight.insightName))}
        empty={
          <EmptyState icon={<IconStar size={20} stroke={1.6} />} title="No favourites">
            Click the star next to an insight to add it here.
          </EmptyState>
        }
      />
      <DeleteInsightDialog name={deleted} onClose={() => setDeleted(undefined)} />
    </>
  )
}

/** Returns the insight with exactly this group and name. */
function searchFor({ groupName, insightName }: InsightName) {
  return { query: `groupName=${groupName}&name=${insightName}`, size: 1 }
}
