import { canShare, canWrite } from '@headwater/groups/contract'
import { hasShareRole } from '@headwater/groups/server'
import { describeRecurrence } from '@headwater/cron'
import { formatUtcSeconds, type Principal } from '@headwater/server-kit'
import { nextOccurrence } from '@headwater/schedules/server'
import type { AccessibleItem } from '@headwater/items/server'
import type {
  Pipeline,
  PipelineDetails,
  PipelineInput,
  PipelineTask,
  StoredPipelineTask,
} from '../contract/index.ts'
import { withNextTasks } from '../core/index.ts'
import type { PipelinesServiceDependencies } from './pipelines-dependencies.ts'
import type { ListedPipeline, StoredPipeline } from './pipelines-store.ts'

/** Example pipeline that comes with the product. Every user can read it, and nobody can change it. */
export type BuiltInPipeline = Pick<PipelineInput, 'name' | 'groupName' | 'tasks' | 'payload' | 'tags'>

/** Converts a version of a pipeline with its tasks to the response format. */
export async function toDetails(
  deps: PipelinesServiceDependencies,
  principal: Principal,
  { item, group }: AccessibleItem<StoredPipeline>,
): Promise<PipelineDetails> {
  const { tasks, payload } = item.content
  const pipeline = toPipeline(item, await viewerOf(deps, principal, [item.id]), {
    writeAccess: canWrite(group.access),
    canShare: canShare(group.access) && hasShareRole(principal),
  })
  return {
    pipeline,
    batchConfig: { tasks: await toTasks(deps, principal, tasks) },
    payload,
  }
}

/** Converts versions of pipelines to list items. */
export async function toListedPipelines(
  deps: PipelinesServiceDependencies,
  principal: Principal,
  pipelines: readonly ListedPipeline[],
): Promise<Pipeline[]> {
  const ids = [...new Set(pipelines.map(({ id }) => id))]
  const [writable, shareable, viewer] = await Promise.all([
    deps.groups.scope(principal, 'RW'),
    deps.groups.scope(principal, 'RS'),
    viewerOf(deps, principal, ids),
  ])
  return pipelines.map((stored) =>
    toPipeline(stored, viewer, {
      writeAccess: writable.has(stored.groupId),
      canShare: shareable.has(stored.groupId) && hasShareRole(principal),
    }),
  )
}

/** Data that depends on the caller and the time. */
interface Viewer {
  /** Ids of the favourites of the caller. */
  favourites: ReadonlySet<string>
  /** Latest job id of each pipeline. */
  jobs: ReadonlyMap<string, string>
  now: Date
}

async function viewerOf(
  { favouriteIds, latestJobs, clock }: PipelinesServiceDependencies,
  principal: Principal,
  ids: readonly string[],
): Promise<Viewer> {
  const [favourites, jobs] = await Promise.all([favouriteIds(principal.userId), latestJobs(ids)])
  return { favourites: new Set(favourites), jobs, now: clock.now() }
}

/** Converts an example pipeline with its tasks to the response format. */
export async function builtInDetails(
  deps: PipelinesServiceDependencies,
  principal: Principal,
  { name, groupName, tags, tasks, payload }: BuiltInPipeline,
): Promise<PipelineDetails> {
  return {
    pipeline: {
      id: `${groupName}/${name}`,
      name,
      groupName,
      tags,
      version: 1,
      latest: true,
      favorite: false,
      lastChangeBy: null,
      modifyDate: null,
      markdownId: null,
      executionMode: 'durable',
      trigger: 'None',
      schedules: [],
      job: null,
      writeAccess: false,
      canShare: false,
    },
    batchConfig: { tasks: await toTasks(deps, principal, tasks) },
    payload,
  }
}

/** Adds the fields that versions do not store. */
async function toTasks(
  { tasks }: PipelinesServiceDependencies,
  principal: Principal,
  stored: readonly StoredPipelineTask[],
): Promise<PipelineTask[]> {
  // The id of a built-in task is its name. Old versions do not store it.
  const idOf = ({ taskId, taskGroup, taskName }: StoredPipelineTask) =>
    taskId ?? (taskGroup === '' ? taskName : '')
  const categories = await tasks.categoriesOf(principal, stored.map(idOf))
  return withNextTasks(stored).map((task) => ({ ...task, taskCategory: categories.get(idOf(task)) ?? '' }))
}

function toPipeline(
  stored: ListedPipeline,
  { favourites, jobs, now }: Viewer,
  access: Pick<Pipeline, 'writeAccess' | 'canShare'>,
): Pipeline {
  const jobId = jobs.get(stored.id)
  const isNewest = stored.version === stored.newestVersion
  const active = isNewest ? (stored.activeTriggers ?? []) : []
  const schedules = isNewest ? [...schedulesOfTasks(stored, now), ...active.flatMap(scheduleOfTrigger)] : []
  const types = active.map(({ type }) => type)
  return {
    id: stored.id,
    name: stored.name,
    groupName: stored.groupName,
    tags: [...stored.summary.tags],
    version: stored.version,
    latest: isNewest,
    favorite: favourites.has(stored.id),
    lastChangeBy: stored.savedBy,
    modifyDate: formatUtcSeconds(stored.savedAt),
    markdownId: stored.summary.markdownId,
    executionMode: stored.summary.executionMode ?? 'durable',
    trigger: schedules[0]?.type ?? types.find((type) => type !== 'None') ?? 'None',
    schedules,
    job: jobId === undefined ? null : { jobId },
    ...access,
  }
}

/** Returns the schedules of the `cron-trigger` tasks. */
function schedulesOfTasks({ triggers, nextRunAt }: ListedPipeline, now: Date): Pipeline['schedules'] {
  // No trigger is due before `nextRunAt`, the earliest next run.
  const after = nextRunAt === null ? now : new Date(nextRunAt.getTime() - 1)
  return (triggers ?? []).map(({ cron, timeZone }) => ({
    type: 'CRON',
    cron,
    timeZone,
    description: '',
    nextRun: formatUtcSeconds(nextOccurrence([{ cron, timeZone }], after, new Map())),
  }))
}

function scheduleOfTrigger(
  trigger: NonNullable<ListedPipeline['activeTriggers']>[number],
): Pipeline['schedules'] {
  if (trigger.type !== 'CRON' && trigger.type !== 'SCHEDULER') return []
  const { timeZone } = trigger.definition
  const [cron, description] =
    trigger.type === 'CRON'
      ? [trigger.definition.cron, '']
      : ['', describeRecurrence(trigger.definition.rule)]
  const nextRun = trigger.nextAt === null ? null : formatUtcSeconds(new Date(trigger.nextAt))
  return [{ type: trigger.type, cron, timeZone, description, nextRun }]
}
