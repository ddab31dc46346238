import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCan } from '@headwater/accounts/web'
import { useJobRefetch } from '@headwater/events/web'
import { call, intervals, refreshEvery, routeKey } from '@headwater/web-kit'
import type { RouteOutput } from '@headwater/contract'
import { getPipelineHistory, getRun, listRuns, type ListedRun } from '../contract/index.ts'

/** Results of the tasks of a pipeline by date. */
export type PipelineHistory = RouteOutput<typeof getPipelineHistory>

/** Returns whether a run has ended. */
export function hasEnded({ endTime }: Pick<ListedRun, 'endTime'>): boolean {
  return endTime !== null
}

/** Returns a run with its steps; refreshes every 5 s until it has ended, and after changes. */
export function useRunDetails(jobId: string) {
  const input = { params: { jobId } }
  const refresh = refreshEvery(intervals.statusMs)
  const can = useCan()
  const query = useQuery({
    queryKey: routeKey(getRun, input),
    queryFn: ({ signal }) => call(getRun, input, { signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && hasEnded(data.run) ? false : refresh()),
  })
  const isOpen = query.data === undefined || !hasEnded(query.data.run)
  useJobRefetch({ type: 'status', jobId, enabled: isOpen && can('Statuses') }, routeKey(getRun, input))
  return query
}

/** Returns a function that loads all runs again, for use after an action on a run. */
export function useRefreshRuns(): () => void {
  const client = useQueryClient()
  return () => {
    for (const route of [getRun, listRuns, getPipelineHistory])
      void client.invalidateQueries({ queryKey: routeKey(route) })
  }
}

/** Returns the results of the tasks of a pipeline by date; refreshes every 30 s. */
export function useHistory(
  pipelineId: string | undefined,
  period: { from: string; to: string; timeZone: string },
) {
  const input = { params: { pipelineId: pipelineId ?? '' }, query: period }
  return useQuery({
    queryKey: routeKey(getPipelineHistory, input),
    queryFn: ({ signal }) => call(getPipelineHistory, input, { signal }),
    refetchInterval: refreshEvery(intervals.pipelineDetailsMs),
    enabled: pipelineId !== undefined,
    placeholderData: (previous) => previous,
  })
}
