import { useQuery } from '@tanstack/react-query'
import { isUuid } from '@headwater/contract'
import { useJobRefetch } from '@headwater/events/web'
import { call, intervals, isLimited, pageSizes, refreshEvery, routeKey } from '@headwater/web-kit'
import {
  listStatusMessages,
  searchStatuses,
  type Job,
  type JobType,
  type StatusMessage,
} from '../contract/index.ts'

/** Minimum time between two refreshes of a list after changes, because jobs of other users also change it. */
const listGapMs = 1000

/**
 * Returns the query for a search text: the text wrapped in wildcards, `*` if it is empty, or a lookup by id if it is a job id.
 */
export function statusQuery(text: string): { query: string } | { jobId: string } {
  const typed = text.trim()
  if (isUuid(typed)) return { jobId: typed.toLowerCase() }
  return { query: typed === '' ? '*' : `*${typed}*` }
}

/**
 * Returns the newest job of each pipeline or data prep, or the newest files of all groups; refreshes every 5 s and after
 * changes.
 */
export function useLatestJobs(type: JobType, text: string) {
  // The files of a group are listed individually; of a pipeline or data prep, only the newest run is listed.
  const aggregate = type !== 'ETL'
  const input = { query: { ...statusQuery(text), type, aggregate, size: pageSizes.statusBlock } }
  const query = useQuery({
    queryKey: routeKey(searchStatuses, input),
    queryFn: ({ signal }) => call(searchStatuses, input, { signal }),
    refetchInterval: refreshEvery(intervals.statusMs),
    placeholderData: (previous) => previous,
  })
  useJobRefetch({ type: 'status', enabled: true, gapMs: listGapMs }, routeKey(searchStatuses, input))
  return query
}

/** Returns whether a job has ended and its details need no refresh. */
export function isOver(job: Pick<Job, 'status'>): boolean {
  return ['COMPLETED', 'ERROR', 'INFO'].includes(job.status)
}

/**
 * Returns the refresh interval of job details: 5 s; false if the job has ended, 30 s after the details were opened, or while
 * the API is rate-limited.
 */
export function detailsInterval(job: Pick<Job, 'status'> | undefined, openForMs: number): number | false {
  if (isLimited() || openForMs >= intervals.unfinishedStatusStopMs) return false
  return job !== undefined && isOver(job) ? false : intervals.statusMs
}

function elapsedMs(sinceMs: number): number {
  return Date.now() - sinceMs
}

/** Returns a job by id and reloads it after changes. `openedAtMs` is the time when its details were opened. */
export function useJob(jobId: string, openedAtMs: number) {
  const input = { query: { jobId, size: pageSizes.details } }
  const query = useQuery({
    queryKey: routeKey(searchStatuses, input),
    queryFn: async ({ signal }) => (await call(searchStatuses, input, { signal })).items[0] ?? null,
    refetchInterval: ({ state }) => detailsInterval(state.data ?? undefined, elapsedMs(openedAtMs)),
  })
  const isOpen = query.data == null || !isOver(query.data)
  useJobRefetch({ type: 'status', jobId, enabled: isOpen }, routeKey(searchStatuses, input))
  return query
}

/** Maximum number of messages that the panel loads for a step. */
const stepMessagesSize = 1000

/**
 * Returns the stored messages of a step.
 * @param options.messageCount number of messages sent so far; the messages are reloaded when it changes
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
