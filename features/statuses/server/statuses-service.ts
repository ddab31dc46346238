import { randomUUID } from 'node:crypto'
import { isUuid, type Page } from '@headwater/contract'
import type { JobQueue } from '@headwater/jobs'
import type { Clock, Executor, Principal } from '@headwater/server-kit'
import { statusErrors, type Job, type JobStatus, type StatusMessage } from '../contract/index.ts'
import type { NewJob, StatusGroups } from './new-job.ts'
import { createPurge } from './purge-jobs.ts'
import { searchJobs, type JobSearch } from './search-jobs.ts'
import { sendStatus, type SentStatus } from './send-status.ts'
import type { MessageFilter } from './status-messages.ts'
import type { ComponentChange, StatusesStore } from './statuses-store.ts'
import { visibilityOf, type ReadableGroups } from './visibility.ts'

/** Dependencies of the service. */
export interface StatusesServiceDependencies {
  /** Stores jobs and components. */
  store: StatusesStore
  /** Clock for start and end times. */
  clock: Clock
  /** Checks access to groups. */
  groups: StatusGroups
  /** Runs the hourly purge. */
  queue: JobQueue
  /** Retention of ended jobs, in days. Default 90. */
  historyDays?: number
}

/** The service of jobs and their statuses. */
export type StatusesService = ReturnType<typeof createStatusesService>

/** Creates the service of jobs and their statuses. */
export function createStatusesService(deps: StatusesServiceDependencies) {
  const { store, clock } = deps
  return {
    ...createPurge(deps),

    /**
     * Starts a job and returns its id.
     * @param executor a transaction to join
     */
    startJob: (job: NewJob, executor?: Executor): Promise<string> => startJob(deps, job, executor),

    /**
     * Returns the job with this id, for example from the header X-KH-JOB-ID, if the caller can write to it. Otherwise starts a
     * new job, with the given id if it is free.
     * @param executor a transaction to join
     */
    async joinOrStartJob(
      principal: Principal,
      jobId: string | undefined,
      job: NewJob,
      executor?: Executor,
    ): Promise<string> {
      if (jobId === undefined || !isUuid(jobId.trim())) return startJob(deps, job, executor)
      const id = jobId.trim().toLowerCase()
      const existing = await store.find(id, executor)
      if (existing === undefined) return startJob(deps, { ...job, id }, executor)
      return existing.ownerId === principal.userId || principal.isAdministrator
        ? id
        : startJob(deps, job, executor)
    },

    /**
     * Adds a component to a job, or changes the component with this `eId`. Does nothing if the job does not exist.
     * @param executor a transaction to join
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
     * Changes the status of a component. Without a message, the old one remains; payloads are merged. Does nothing if
     * the job does not exist.
     * @param executor a transaction to join
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
     * Ends a job that does not follow its components, or changes its status, for example to PAUSED.
     * @param executor a transaction to join
     */
    finishJob: (
      jobId: string,
      { status, message = '' }: { status: JobStatus; message?: string },
      executor?: Executor,
    ): Promise<void> => store.setStatus(jobId, { status, message }, clock.now(), executor),

    /**
     * Returns the status and message of components, by `eId`. The caller has checked access to the jobs.
     * @param executor a transaction to join
     */
    statusesOfComponents: (keys: { jobId: string; eId: string }[], executor?: Executor) =>
      store.findComponents(keys, executor),

    /** Returns the group name of a job that the caller owns, from its payload or its group. */
    async groupNameOf(principal: Principal, jobId: string | undefined): Promise<string | undefined> {
      if (jobId === undefined || !isUuid(jobId.trim())) return undefined
      const { jobs } = await store.search({
        visibleTo: principal.isAdministrator ? 'everything' : { userId: principal.userId, groupIds: [] },
        jobId: jobId.trim().toLowerCase(),
        newestOnly: false,
        from: 0,
        size: 1,
      })
      return jobs[0]?.payload.groupName
    },

    /** Returns a page of jobs that the caller can see, newest first. */
    search: (principal: Principal, query: JobSearch): Promise<Page<Job>> =>
      searchJobs(deps, principal, query),

    /**
     * Returns the id of a job in lower case and the groups about which the caller can read statuses and log lines in it. Throws
     * `jobNotReadable` unless the job exists and the caller can see it.
     */
    requireReadable: (
      principal: Principal,
      jobId: string,
    ): Promise<{ jobId: string; readable: ReadableGroups }> => requireReadable(deps, principal, jobId),

    /** Returns a page of the messages of a job; throws `jobNotReadable`. */
    async listMessages(
      principal: Principal,
      filter: MessageFilter,
    ): Promise<Page<StatusMessage & { eId: string }>> {
      const { jobId, readable } = await requireReadable(deps, principal, filter.jobId)
      return store.listMessages({ ...filter, jobId }, readable)
    },

    /** Adds a status from a script to a job of the caller; throws `jobNotFound`, `jobIdNotValid` or `tooManySteps`. */
    send: (
      principal: Principal,
      status: SentStatus,
    ): Promise<{ jobId: string; eId: string; note?: string }> =>
      sendStatus({ ...deps, startJob: (job) => startJob(deps, job) }, principal, status),
  }
}

async function requireReadable(
  { store, groups }: Pick<StatusesServiceDependencies, 'store' | 'groups'>,
  principal: Principal,
  text: string,
): Promise<{ jobId: string; readable: ReadableGroups }> {
  const visibleTo = await visibilityOf(groups, principal)
  const jobId = text.trim().toLowerCase()
  const job = isUuid(jobId) ? await store.findVisible(jobId, visibleTo) : undefined
  if (job === undefined) throw statusErrors.jobNotReadable({ jobId })
  if (visibleTo === 'everything') return { jobId, readable: 'all' }
  return { jobId, readable: job.groupId === null ? visibleTo.groupIds : [...visibleTo.groupIds, job.groupId] }
}

async function startJob(
  { store, clock }: Pick<StatusesServiceDependencies, 'store' | 'clock'>,
  job: NewJob,
  executor?: Executor,
): Promise<string> {
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
