import type { Approvals } from '@headwater/approvals/server'
import { AppError, isUuid, type Page, type RouteOutput } from '@headwater/contract'
import type { GroupAccess } from '@headwater/groups/server'
import type { Pipelines } from '@headwater/pipelines/server'
import type { Runs, StoredStep } from '@headwater/runs/server'
import { formatUtc, type Principal } from '@headwater/server-kit'
import { visibleStatus, type JobStatus } from '@headwater/statuses/contract'
import { visibilityOf } from '@headwater/statuses/server'
import {
  maxListedRuns,
  monitorErrors,
  type getRun as getRunRoute,
  type ListedRun,
} from '../contract/index.ts'
import type { MonitoredRun, MonitorStore } from './monitor-store.ts'

/** Dependencies of the monitor. */
export interface MonitorDependencies {
  /** Reads runs. */
  monitor: MonitorStore
  /** Reads steps and their history. */
  runs: Pick<Runs, 'steps' | 'history'>
  /** Finds readable groups. */
  groups: Pick<GroupAccess, 'scope'>
  /** Finds pipelines that the caller can read. */
  pipelines: Pick<Pipelines, 'require'>
  /** Returns the approvers that a run waits for. */
  approvals: Pick<Approvals, 'isApproval' | 'openApprovers'>
}

/** Query of {@link MonitorService.list}; see the route `listRuns`. */
export interface RunQuery {
  /** Maximum number of runs of the page. */
  size: number
  /** Number of runs to skip. */
  from: number
  /** Text in name or group. */
  query: string
  /** Tag of the pipelines. */
  tag?: string | undefined
  /** Id of the pipeline. */
  pipelineId?: string | undefined
  /** Statuses. */
  status?: readonly JobStatus[] | undefined
  /** Earliest start. */
  startedFrom?: string | undefined
  /** Latest start, excluded. */
  startedBefore?: string | undefined
  /** Order. */
  sortBy: 'failures' | 'start'
}

/** Use cases of the monitor. */
export type MonitorService = ReturnType<typeof createMonitorService>

/** Creates the use cases of the monitor. A run is visible to its user and to readers of its group. */
export function createMonitorService(deps: MonitorDependencies) {
  return {
    /** Returns a page of runs. */
    list: (principal: Principal, query: RunQuery) => listRuns(deps, principal, query),
    /** Returns a run with its steps. */
    get: (principal: Principal, jobId: string) => getRun(deps, principal, jobId),
    /** Returns the results of the tasks of a pipeline by date. */
    history: (
      principal: Principal,
      pipelineId: string,
      period: { from: string; to: string; timeZone: string },
    ) => historyOf(deps, principal, pipelineId, period),
  }
}

async function listRuns(
  { monitor, groups }: MonitorDependencies,
  principal: Principal,
  query: RunQuery,
): Promise<Page<ListedRun> & { isTotalLimited: boolean }> {
  const { from, size, tag, status } = query
  const text = query.query.trim()
  const pipelineId = query.pipelineId?.trim().toLowerCase()
  const filter = {
    visibleTo: await visibilityOf(groups, principal),
    text: /^\**$/.test(text) ? undefined : text,
    tag: tag === '' ? undefined : tag,
    pipelineId,
    statuses: status === undefined || status.length === 0 ? undefined : status,
    startedFrom: toDate(query.startedFrom),
    startedBefore: toDate(query.startedBefore),
  }
  const page = {
    from,
    size: Math.min(size, maxListedRuns - from),
    failuresFirst: query.sortBy === 'failures',
  }
  const [rows, count] = await Promise.all([
    page.size <= 0 ? [] : monitor.list(filter, page),
    monitor.count(filter, maxListedRuns + 1),
  ])
  return {
    from,
    totalSize: Math.min(count, maxListedRuns),
    items: rows.map(toListedRun),
    isTotalLimited: count > maxListedRuns,
  }
}

async function getRun(
  { monitor, groups, runs, pipelines, approvals }: MonitorDependencies,
  principal: Principal,
  jobId: string,
): Promise<RouteOutput<typeof getRunRoute>> {
  const id = jobId.trim().toLowerCase()
  const run = isUuid(id) ? await monitor.find(id, await visibilityOf(groups, principal)) : undefined
  if (run === undefined) throw monitorErrors.runNotReadable({ jobId })
  const [steps, { times, attempts, decisions }] = await Promise.all([
    runs.steps(id),
    runs.history.detailsOf(id),
  ])
  const openApprovers = await approvals.openApprovers(id, steps)
  const userNames = await monitor.userNames(decisions.flatMap(({ userId }) => userId ?? []))
  const timesOf = new Map(times.map((each) => [each.number, each]))
  const attemptsOf = Map.groupBy(attempts, ({ number }) => number)
  const decisionsOf = Map.groupBy(decisions, ({ number }) => number)
  return {
    run: toListedRun(run),
    pipeline: await presentNameOf(pipelines, principal, run.root_id),
    canControl: principal.isAdministrator || run.owner_id === principal.userId,
    steps: steps.map((step) => {
      const { startedAt, attemptAt, endedAt } = timesOf.get(step.number) ?? {}
      const own = (attemptsOf.get(step.number) ?? []).map((attempt) => ({
        attempt: attempt.attempt,
        startTime: formatUtc(attempt.startedAt),
        endTime: formatOptional(attempt.endedAt),
        status: attempt.outcome ?? null,
        message: attempt.message,
      }))
      const current =
        step.state === 'running' && attemptAt !== undefined
          ? [
              {
                attempt: step.attempt,
                startTime: formatUtc(attemptAt),
                endTime: null,
                status: 'RUNNING' as const,
                message: '',
              },
            ]
          : []
      return {
        nodeId: step.task.nodeId,
        eId: step.eId,
        name: step.task.name,
        taskName: step.task.taskName,
        isApproval: approvals.isApproval(step),
        canDecide: canDecide(principal, openApprovers.get(step.number)?.open),
        openApprovers: openApprovers.get(step.number)?.open ?? [],
        unableApprovers: openApprovers.get(step.number)?.unable ?? [],
        after: steps.filter(({ children }) => children.includes(step.number)).map(({ task }) => task.nodeId),
        status: statusOf(step),
        message: step.message,
        startTime: formatOptional(startedAt),
        endTime: formatOptional(endedAt),
        attempts: [...own, ...current],
        decisions: (decisionsOf.get(step.number) ?? []).map((decision) => ({
          time: formatUtc(decision.decidedAt),
          isApproved: decision.isApproved,
          userName: (decision.userId === undefined ? undefined : userNames.get(decision.userId)) ?? null,
          approveTime: decision.approveTime ?? null,
        })),
      }
    }),
  }
}

function canDecide(
  { userName, isAdministrator }: Principal,
  approvers: readonly string[] | undefined,
): boolean {
  return approvers !== undefined && (isAdministrator || approvers.includes(userName.toLowerCase()))
}

/** Returns the current name and group of a pipeline; null without one, and without read access. */
async function presentNameOf(
  pipelines: MonitorDependencies['pipelines'],
  principal: Principal,
  id: string | null,
): Promise<{ name: string; groupName: string } | null> {
  if (id === null) return null
  try {
    const { item } = await pipelines.require(principal, { id }, 'R')
    return { name: item.name, groupName: item.groupName }
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return null
    throw error
  }
}

async function historyOf(
  { monitor, groups, runs, pipelines }: MonitorDependencies,
  principal: Principal,
  id: string,
  period: { from: string; to: string; timeZone: string },
) {
  const { item: pipeline } = await pipelines.require(principal, { id }, 'R')
  const days = await monitor.days(
    { visibleTo: await visibilityOf(groups, principal), pipelineId: pipeline.id },
    period,
  )
  const states = Map.groupBy(await runs.history.statesOf(days.map((day) => day.id)), ({ runId }) => runId)
  const names = new Map<string, string>()
  for (const day of days.toReversed())
    for (const { nodeId, name } of states.get(day.id) ?? []) if (!names.has(nodeId)) names.set(nodeId, name)
  const tasks = [...names].map(([nodeId, name]) => ({ nodeId, name }))
  return {
    tasks,
    dates: days.map(({ id: jobId, message, ...day }) => {
      const byNode = new Map((states.get(jobId) ?? []).map((step) => [step.nodeId, step]))
      const steps = tasks.map(({ nodeId }) => byNode.get(nodeId))
      return {
        ...day,
        jobId,
        isStopped: isStopped(day.status, message),
        cells: steps.map((step) => (step === undefined ? null : statusOf(step))),
        stoppedCells: steps.map((step) => step !== undefined && isStopped(statusOf(step), step.message)),
      }
    }),
  }
}

function isStopped(status: JobStatus, message: string): boolean {
  return visibleStatus({ status, message }) === 'STOPPED'
}

/** Returns the status of a step from its state. */
function statusOf({ state, outcome }: Pick<StoredStep, 'state' | 'outcome'>): JobStatus {
  if (state === 'done') return outcome ?? 'UNEXECUTED'
  return (
    {
      waiting: 'UNEXECUTED',
      ready: 'PENDING',
      running: 'RUNNING',
      awaiting: 'RUNNING',
      paused: 'PAUSED',
    } as const
  )[state]
}

function toListedRun(run: MonitoredRun): ListedRun {
  return {
    jobId: run.id,
    name: run.name,
    groupName: run.group_name,
    pipelineId: run.root_id,
    version: run.version,
    status: run.status,
    message: run.message,
    owner: run.owner,
    types: run.types,
    backfillDate: run.backfill_date,
    succeededSince: run.succeeded_since,
    tags: run.tags,
    startTime: formatUtc(run.started_at),
    endTime: formatOptional(run.ended_at ?? undefined),
  }
}

function formatOptional(time: Date | undefined): string | null {
  return time === undefined ? null : formatUtc(time)
}

/** A time without a zone is UTC. */
function toDate(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  return new Date(/(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) || !text.includes('T') ? text : `${text}Z`)
}
