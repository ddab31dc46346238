import { useQuery } from '@tanstack/react-query'
import { isUuid } from '@headwater/contract'
import { useJobRefresh } from '@headwater/events/web'
import { call, intervals, isLimited, pageSizes, refreshEvery, routeKey } from '@headwater/web-kit'
import {
  listStatusMessages,
  searchStatuses,
  type Job,
  type JobType,
  type StatusMessage,
} from '../contract/index.ts'

/** Minimum time between two refreshes of a list after changes. Jobs of other users change it, too. */
const listGapMs = 1000

/** Returns the query for a search text: wrapped in wildcards, `*` for an empty text, by id for a job id. */
export function statusQuery(text: string): { query: string } | { jobId: string } {
  const typed = text.trim()
  if (isUuid(typed)) return { jobId: typed.toLowerCase() }
  return { query: typed === '' ? '*' : `*${typed}*` }
}

/** Returns the newest job of each pipeline or data prep, or the newest files of all groups; refreshes every 5 s, and after changes. */
export function useLatestJobs(type: JobType, text: string) {
  // Files of one group are listed individually, but runs of one pipeline are not.
  const aggregate = type !== 'ETL'
  const input = { query: { ...statusQuery(text), type, aggregate, size: pageSizes.statusBlock } }
  const query = useQuery({
    queryKey: routeKey(searchStatuses, input),
    queryFn: ({ signal }) => call(searchStatuses, input, { signal }),
    refetchInterval: refreshEvery(intervals.statusMs),
    placeholderData: (previous) => previous,
  })
  useJobRefresh({ type: 'status', enabled: true, gapMs: listGapMs }, () =>
    query.refetch({ cancelRefetch: false }),
  )
  return query
}

/** Returns whether a job has ended, so that its details need no refresh. */
export function isOver(job: Pick<Job, 'status'>): boolean {
  return ['COMPLETED', 'ERROR', 'INFO'].includes(job.status)
}

/**
 * Returns the refresh interval of the details of a job: 5 s; false if the job has ended, 30 s after the details were
 * opened, or while the API is limited.
 */
export function detailsInterval(job: Pick<Job, 'status'> | undefined, openForMs: number): number | false {
  if (isLimited() || openForMs >= intervals.unfinishedStatusStopMs) return false
  return job !== undefined && isOver(job) ? false : intervals.statusMs
}

/** Returns one job by its id, and reads it again after changes; `openedAtMs` is the time when its details were opened. */
export function useJob(jobId: string, openedAtMs: number) {
  const input = { query: { jobId, size: pageSizes.details } }
  const query = useQuery({
    queryKey: routeKey(searchStatuses, input),
    queryFn: async ({ signal }) => (await call(searchStatuses, input, { signal })).items[0] ?? null,
    refetchInterval: ({ state }) => detailsInterval(state.data ?? undefined, Date.now() - openedAtMs),
  })
  const isOpen = query.data == null || !isOver(query.data)
  useJobRefresh({ type: 'status', jobId, enabled: isOpen }, () => query.refetch({ cancelRefetch: false }))
  return query
}

/** Maximum number of messages that the panel loads for a step. */
const stepMessagesSize = 1000

/**
 * Returns the stored messages of a step.
 * @param options.messageCount number of messages sent so far; a new message reads them again
 */
export function useStepMessages(
  jobId: string,
  eId: string,
  { enabled, messageCount }: { enabled: boolean; messageCount: number },
) {
  const input = { params: { jobId }, query: { eId, size: stepMessagesSize } }
  return useQuery<StatusMessage[]>({
    queryKey: [...routeKey(listStatusMessages, input), messageCount],
    queryFn: async ({ signal }) => (await call(listStatusMessages, input, { signal })).items,
    enabled,
    placeholderData: (previous) => previous,
  })
}
