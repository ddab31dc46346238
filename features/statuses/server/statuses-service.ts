import { randomUUID } from 'node:crypto'
import { AppError, isUuid, type AccessMode, type Page } from '@headwater/contract'
import type { JobQueue } from '@headwater/jobs'
import type { Clock, Executor, Principal } from '@headwater/server-kit'
import {
  jobTypes,
  statusErrors,
  statusSelectors,
  statusWords,
  type Job,
  type JobType,
  type StatusPayload,
  type StatusWord,
  type TriggerType,
} from '../contract/index.ts'
import type { ComponentChange, StatusesStore } from './statuses-store.ts'

/** The functions of groups that statuses use. Groups come later in the dependency order. */
export interface StatusGroups {
  /** The group with this name, if the caller may use it at `mode`; else an error for the caller. */
  getGroup(principal: Principal, name: string, mode: AccessMode): Promise<{ id: number; name: string }>
  /** The groups that the caller can read; `all` for an administrator. */
  scope(principal: Principal): Promise<{ groupIds: readonly number[] | 'all' }>
}

/** A job as another room starts it. */
export interface NewJob {
  /** Its id, when it has one already; default a new one. */
  id?: string | undefined
  type: JobType
  /** Name of the pipeline or data prep; for ETL the name of the group. */
  name: string
  /** The group whose readers may see the job; without one only its owner may. */
  group?: { id: number; name: string } | undefined
  /** Id of the user who started it. */
  ownerId: number
  payload?: StatusPayload
  /** What started it, default `['None']`: a person. */
  types?: TriggerType[]
  tags?: string[]
  version?: number
  rootId?: string
  /** Default RUNNING. */
  status?: StatusWord
  message?: string
  /**
   * Default false: the room that started the job ends it by `finishJob`. True: the status of the job is the combined
   * one of its components, and it is over when they are.
   */
  followsComponents?: boolean
}

export interface StatusesServiceDependencies {
  store: StatusesStore
  clock: Clock
  groups: StatusGroups
  queue: JobQueue
}

const purgeJobKind = 'purge-statuses'
const purgeEveryMs = 3_600_000
/** How long jobs that ended are kept. */
const keptMs = 90 * 86_400_000

export type StatusesService = ReturnType<typeof createStatusesService>

/** The rules of jobs and their statuses. */
export function createStatusesService({ store, clock, groups, queue }: StatusesServiceDependencies) {
  const purge = () => store.purge(new Date(clock.now().getTime() - keptMs))

  async function enqueuePurge(): Promise<void> {
    const runAfter = new Date(clock.now().getTime() + purgeEveryMs)
    await queue.enqueue(purgeJobKind, {}, { uniqueKey: purgeJobKind, runAfter })
  }

  queue.handle(purgeJobKind, {
    async run() {
      await purge()
      await enqueuePurge()
    },
    giveUp: enqueuePurge,
  })

  async function startJob(job: NewJob, executor?: Executor): Promise<string> {
    const id = job.id ?? randomUUID()
    await store.start(
      {
        id,
        type: job.type,
        name: job.name,
        groupId: job.group?.id ?? null,
        groupName: job.group?.name ?? '',
        ownerId: job.ownerId,
        status: job.status ?? 'RUNNING',
        message: job.message ?? '',
        payload: job.payload ?? {},
        types: job.types ?? ['None'],
        tags: job.tags ?? [],
        version: job.version ?? null,
        rootId: job.rootId ?? null,
        followsComponents: job.followsComponents ?? false,
      },
      clock.now(),
      executor,
    )
    return id
  }

  /** The job with this id if the caller may write to it; undefined when there is none with it. */
  async function findWritable(principal: Principal, jobId: string): Promise<string | undefined> {
    const found = await store.find(jobId)
    if (found === undefined) return undefined
    if (found.ownerId !== principal.userId && !principal.isAdministrator)
      throw statusErrors.jobNotFound({ jobId })
    return jobId
  }

  async function findWritableGroup(principal: Principal, name: string | null | undefined) {
    if (!name) return undefined
    try {
      return await groups.getGroup(principal, name, 'RW')
    } catch (error) {
      if (error instanceof AppError) return undefined
      throw error
    }
  }

  return {
    /** Forgets jobs that ended more than 90 days ago, but the newest of each item. Answers with how many there were. */
    purge,

    /** Begins the hourly purge. */
    resume: enqueuePurge,

    /**
     * Starts a job and answers with its id.
     * @param executor a transaction to take part in
     */
    startJob,

    /**
     * The job that a caller named, for example by the header X-KH-JOB-ID, if it is one that they may write to;
     * otherwise a new one, which takes the named id when that is free.
     * @param executor a transaction to take part in
     */
    async joinOrStartJob(
      principal: Principal,
      jobId: string | undefined,
      job: NewJob,
      executor?: Executor,
    ): Promise<string> {
      if (jobId === undefined || !isUuid(jobId)) return startJob(job, executor)
      const id = jobId.trim().toLowerCase()
      const found = await store.find(id, executor)
      if (found === undefined) return startJob({ ...job, id }, executor)
      return found.ownerId === principal.userId || principal.isAdministrator ? id : startJob(job, executor)
    },

    /**
     * Adds a component to a job, or changes the one with this `eId`. Nothing happens when the job is gone.
     * @param executor a transaction to take part in
     */
    async addComponent(
      jobId: string,
      component: Omit<ComponentChange, 'eId' | 'component'> & { eId?: string; component: string },
      executor?: Executor,
    ): Promise<string> {
      const eId = component.eId ?? randomUUID()
      await store.setComponent(jobId, { ...component, eId }, clock.now(), executor)
      return eId
    },

    /**
     * Changes the status of a component; message and payload stay when they are left out, payloads are merged. Nothing
     * happens when the job is gone.
     * @param executor a transaction to take part in
     */
    async updateComponent(
      jobId: string,
      eId: string,
      change: Omit<ComponentChange, 'eId'>,
      executor?: Executor,
    ): Promise<void> {
      await store.setComponent(jobId, { ...change, eId }, clock.now(), executor)
    },

    /**
     * Ends a job that does not follow its components, or changes its own status, for example to PAUSED.
     * @param executor a transaction to take part in
     */
    finishJob: (
      jobId: string,
      { status, message = '' }: { status: StatusWord; message?: string },
      executor?: Executor,
    ): Promise<void> => store.setStatus(jobId, { status, message }, clock.now(), executor),

    /**
     * Status and message of components, by `eId`; who asks has checked that the caller may see them.
     * @param executor a transaction to take part in
     */
    statusesOfComponents: (keys: { jobId: string; eId: string }[], executor?: Executor) =>
      store.findComponents(keys, executor),

    /** Group of a job the caller owns, as its payload or group tells it; undefined when there is none. */
    async groupNameOf(principal: Principal, jobId: string | undefined): Promise<string | undefined> {
      if (jobId === undefined || !isUuid(jobId)) return undefined
      const { jobs } = await store.search({
        visibleTo: principal.isAdministrator ? 'everything' : { userId: principal.userId, groupIds: [] },
        jobId: jobId.trim().toLowerCase(),
        newestOnly: false,
        from: 0,
        size: 1,
      })
      return jobs[0]?.payload.groupName
    },

    /** Jobs that the caller can see, newest first. */
    async search(
      principal: Principal,
      query: {
        size: number
        from: number
        query: string
        aggregate: boolean
        type?: string | undefined
        jobId?: string | undefined
        name?: string | undefined
        groupName?: string | undefined
        tag?: string | undefined
        selector?: string | undefined
        pipelineRootIds?: string | undefined
      },
    ): Promise<Page<Job>> {
      const { groupIds } = await groups.scope(principal)
      const text = query.query.trim()
      const jobId = isUuid(text) ? text : query.jobId?.trim()
      const isOwnLatest = jobId !== undefined && ['', 'none', 'null'].includes(jobId.toLowerCase())
      if (jobId !== undefined && !isOwnLatest && !isUuid(jobId))
        return { from: query.from, totalSize: 0, items: [] }
      const { jobs, total } = await store.search({
        visibleTo: groupIds === 'all' ? 'everything' : { userId: principal.userId, groupIds },
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
    },

    /** Writes a status as a script sends it, into a job of the caller. */
    async send(
      principal: Principal,
      status: {
        status: StatusWord
        message?: string | null | undefined
        jobId?: string | null | undefined
        eId?: string | null | undefined
        componentName?: string | null | undefined
        groupName?: string | null | undefined
        className?: string | null | undefined
      },
    ): Promise<{ jobId: string; eId: string }> {
      const component = status.componentName?.trim() || 'script'
      const named = namedJobId(status.jobId)
      let jobId =
        named === undefined
          ? await store.findOpen(principal.userId, component)
          : await findWritable(principal, named)
      jobId ??= await startJob({
        id: named,
        type: 'PIPELINE',
        name: component,
        group: await findWritableGroup(principal, status.groupName),
        ownerId: principal.userId,
        followsComponents: true,
      })
      const eId = status.eId || component
      const change = {
        eId,
        component,
        status: status.status,
        message: status.message ?? '',
        payload: {
          ...(status.groupName ? { groupName: status.groupName } : {}),
          ...(status.className ? { className: status.className } : {}),
        },
      }
      if (!(await store.setComponent(jobId, change, clock.now()))) throw statusErrors.jobNotFound({ jobId })
      return { jobId, eId }
    },
  }
}

function namedJobId(text: string | null | undefined): string | undefined {
  const id = text?.trim().toLowerCase() ?? ''
  if (['', 'none', 'null'].includes(id)) return undefined
  if (!isUuid(id)) throw statusErrors.jobIdNotValid()
  return id
}

function commaList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function parseTypes(text: string | undefined): JobType[] | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const words = commaList(text).map((word) => (word.toUpperCase() === 'GROUP' ? 'ETL' : word.toUpperCase()))
  return jobTypes.filter((type) => words.includes(type))
}

function parseSelector(text: string | undefined): StatusWord[] | undefined {
  if (text === undefined || text.trim() === '') return undefined
  return commaList(text).flatMap((word): StatusWord[] => {
    const selector = Object.entries(statusSelectors).find(
      ([name]) => name.toLowerCase() === word.toLowerCase(),
    )
    if (selector !== undefined) return [...selector[1]]
    return statusWords.filter((status) => status === word.toUpperCase())
  })
}
