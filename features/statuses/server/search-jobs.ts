import { isUuid, type Page } from '@headwater/contract'
import type { Principal } from '@headwater/server-kit'
import {
  jobStatuses,
  jobTypes,
  statusSelectors,
  type Job,
  type JobStatus,
  type JobType,
} from '../contract/index.ts'
import type { StatusGroups } from './new-job.ts'
import type { StatusesStore } from './statuses-store.ts'
import { visibilityOf } from './visibility.ts'

/** Query of the route `GET /status`; see `searchStatuses`. */
export interface JobSearch {
  /** Maximum number of jobs. */
  size: number
  /** Number of jobs to skip. */
  from: number
  /** Text in the name or group name, or a job id. */
  query: string
  /** Only the newest job of each item. */
  aggregate: boolean
  /** Kinds of jobs, separated by commas. */
  type?: string | undefined
  /** Only this job. Empty, `none` or `null`: the newest ETL jobs of the caller. */
  jobId?: string | undefined
  /** Only jobs with exactly this name. */
  name?: string | undefined
  /** Only jobs of exactly this group. */
  groupName?: string | undefined
  /** Only jobs with this tag. */
  tag?: string | undefined
  /** Selectors or statuses, separated by commas. */
  selector?: string | undefined
  /** Root ids of pipelines, separated by commas. */
  pipelineRootIds?: string | undefined
}

/** Returns a page of jobs that the caller can see, newest first. */
export async function searchJobs(
  { store, groups }: { store: Pick<StatusesStore, 'search'>; groups: StatusGroups },
  principal: Principal,
  query: JobSearch,
): Promise<Page<Job>> {
  const visibleTo = await visibilityOf(groups, principal)
  const text = query.query.trim()
  const jobId = isUuid(text) ? text : query.jobId?.trim()
  const isOwnLatest = jobId !== undefined && ['', 'none', 'null'].includes(jobId.toLowerCase())
  if (jobId !== undefined && !isOwnLatest && !isUuid(jobId))
    return { from: query.from, totalSize: 0, items: [] }
  const { jobs, total } = await store.search({
    visibleTo,
    jobId: isOwnLatest ? undefined : jobId?.toLowerCase(),
    ownerId: isOwnLatest ? principal.userId : undefined,
    text: isUuid(text) || text === '' || /^\*+$/.test(text) ? undefined : text,
    types: isOwnLatest ? ['ETL'] : parseTypes(query.type),
    statuses: parseSelector(query.selector),
    name: query.name,
    groupName: query.groupName,
    tag: query.tag,
    rootIds: query.pipelineRootIds === undefined ? undefined : commaList(query.pipelineRootIds),
    newestOnly: query.aggregate,
    from: query.from,
    size: query.size,
  })
  return { from: query.from, totalSize: total, items: jobs }
}

function commaList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function parseTypes(text: string | undefined): JobType[] | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const names = commaList(text).map((name) => (name.toUpperCase() === 'GROUP' ? 'ETL' : name.toUpperCase()))
  return jobTypes.filter((type) => names.includes(type))
}

function parseSelector(text: string | undefined): JobStatus[] | undefined {
  if (text === undefined || text.trim() === '') return undefined
  return commaList(text).flatMap((name): JobStatus[] => {
    const selector = Object.entries(statusSelectors).find(([key]) => key.toLowerCase() === name.toLowerCase())
    if (selector !== undefined) return [...selector[1]]
    return jobStatuses.filter((status) => status === name.toUpperCase())
  })
}
