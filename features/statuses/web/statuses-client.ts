import { useQuery } from '@tanstack/react-query'
import { isUuid } from '@headwater/contract'
import { call, intervals, isLimited, pageSizes, refreshEvery, routeKey } from '@headwater/web-kit'
import { searchStatuses, type Job, type JobType } from '../contract/index.ts'

/** The query of a status search for what was typed: wrapped in wildcards, `*` for nothing; a job id is searched by id. */
export function statusQuery(text: string): { query: string } | { jobId: string } {
  const typed = text.trim()
  if (isUuid(typed)) return { jobId: typed.toLowerCase() }
  return { query: typed === '' ? '*' : `*${typed}*` }
}

/** The newest job of each pipeline and data prep, the newest files of all groups; refreshes every 5 s. */
export function useLatestJobs(type: JobType, text: string) {
  // Two files of one group are two things to look at, other than two runs of one pipeline.
  const aggregate = type !== 'ETL'
  const input = { query: { ...statusQuery(text), type, aggregate, size: pageSizes.statusBlock } }
  return useQuery({
    queryKey: routeKey(searchStatuses, input),
    queryFn: ({ signal }) => call(searchStatuses, input, { signal }),
    refetchInterval: refreshEvery(intervals.statusMs),
    placeholderData: (previous) => previous,
  })
}

/** Whether a job is over, so that its details need no refreshing. */
export function isOver(job: Pick<Job, 'status'>): boolean {
  return ['COMPLETED', 'ERROR', 'INFO'].includes(job.status)
}

/**
 * How long until the details of a job are read again: 5 s, and never once it is over, once it has stayed unfinished for
 * 30 s since the details were opened, or while the API is limited.
 */
export function detailsInterval(job: Pick<Job, 'status'> | undefined, openForMs: number): number | false {
  if (isLimited() || openForMs >= intervals.unfinishedStatusStopMs) return false
  return job !== undefined && isOver(job) ? false : intervals.statusMs
}

/** One job by its id; `openedAtMs` is when its details were opened. */
export function useJob(jobId: string, openedAtMs: number) {
  const input = { query: { jobId, size: pageSizes.details } }
  return useQuery({
    queryKey: routeKey(searchStatuses, input),
    queryFn: async ({ signal }) => (await call(searchStatuses, input, { signal })).items[0] ?? null,
    refetchInterval: (query) => detailsInterval(query.state.data ?? undefined, Date.now() - openedAtMs),
  })
}
