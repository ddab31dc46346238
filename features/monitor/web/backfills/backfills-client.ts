import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { RouteOutput } from '@headwater/contract'
import { call, intervals, refreshEvery, routeKey } from '@headwater/web-kit'
import {
  type BackfillInput,
  cancelBackfill,
  getBackfill,
  getPipelineHistory,
  listBackfills,
  listRuns,
  startBackfill,
} from '../../contract/index.ts'

/** A backfill with the run of each date. */
export type BackfillDetails = RouteOutput<typeof getBackfill>

/** Returns the backfills of a pipeline, newest first; refreshes every 5 s while one is running. */
export function useBackfills(pipelineId: string | undefined) {
  const input = { params: { pipelineId: pipelineId ?? '' } }
  const refresh = refreshEvery(intervals.statusMs)
  return useQuery({
    queryKey: routeKey(listBackfills, input),
    queryFn: ({ signal }) => call(listBackfills, input, { signal }),
    enabled: pipelineId !== undefined,
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ state }) => state === 'RUNNING') === true ? refresh() : false,
  })
}

/** Returns a backfill with the run of each date; refreshes every 5 s while it is running. */
export function useBackfill(pipelineId: string, backfillId: string) {
  const input = { params: { pipelineId, backfillId } }
  const refresh = refreshEvery(intervals.statusMs)
  return useQuery({
    queryKey: routeKey(getBackfill, input),
    queryFn: ({ signal }) => call(getBackfill, input, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.state === 'RUNNING' ? refresh() : false),
  })
}

/** Returns the dates of a backfill that has not started: which get a run, and why the others get none. */
export function useDryRun(pipelineId: string, input: BackfillInput | undefined) {
  const body = { ...input, dryRun: true } as BackfillInput
  const params = { pipelineId }
  return useQuery({
    queryKey: routeKey(startBackfill, { params, body }),
    queryFn: ({ signal }) => call(startBackfill, { params, body }, { signal }),
    enabled: input !== undefined,
    staleTime: 0,
    placeholderData: (previous) => previous,
  })
}

/** Starts and cancels backfills of a pipeline. Both load the lists of backfills and runs again. */
export function useBackfillCalls(pipelineId: string) {
  const client = useQueryClient()
  const refresh = () =>
    Promise.all(
      [listBackfills, getBackfill, listRuns, getPipelineHistory].map((route) =>
        client.invalidateQueries({ queryKey: routeKey(route) }),
      ),
    )
  return {
    /** Starts a backfill and returns its id. */
    start: async (body: BackfillInput): Promise<string | null> => {
      const { id } = await call(startBackfill, { params: { pipelineId }, body })
      await refresh()
      return id
    },
    /** Cancels a backfill: stops its runs and starts no others. */
    cancel: async (backfillId: string): Promise<void> => {
      await call(cancelBackfill, { params: { pipelineId, backfillId } })
      await refresh()
    },
  }
}
