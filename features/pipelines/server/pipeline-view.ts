import { formatUtcSeconds, type Principal } from '@headwater/server-kit'
import { nextOccurrence } from '@headwater/schedules/server'
import type { AccessibleItem } from '@headwater/items/server'
import type { Pipeline, PipelineDetails, PipelineInput } from '../contract/index.ts'
import type { PipelinesServiceDependencies } from './pipelines-dependencies.ts'
import type { ListedPipeline, StoredPipeline } from './pipelines-store.ts'

/** Example pipeline that comes with the product. Every user can read it; nobody can change it. */
export type BuiltInPipeline = Pick<PipelineInput, 'name' | 'groupName' | 'tasks' | 'payload' | 'tags'>

/** Returns a version of a pipeline with its tasks, as the API shows it. */
export function toDetails(
  { clock }: PipelinesServiceDependencies,
  { item, group }: AccessibleItem<StoredPipeline>,
): PipelineDetails {
  const { tasks, payload } = item.content
  return {
    pipeline: toPipeline(item, group.access !== 'R', clock.now()),
    batchConfig: { tasks: [...tasks] },
    payload,
  }
}

/** Returns versions of pipelines for a list. */
export async function toListedPipelines(
  { groups, clock }: PipelinesServiceDependencies,
  principal: Principal,
  pipelines: readonly ListedPipeline[],
): Promise<Pipeline[]> {
  const writable = await groups.scope(principal, 'RW')
  return pipelines.map((stored) => toPipeline(stored, writable.has(stored.groupId), clock.now()))
}

/** Returns an example pipeline with its tasks, as the API shows it. */
export function builtInDetails({ name, groupName, tags, tasks, payload }: BuiltInPipeline): PipelineDetails {
  return {
    pipeline: {
      id: `${groupName}/${name}`,
      name,
      groupName,
      tags,
      version: 1,
      latest: true,
      lastChangeBy: null,
      modifyDate: null,
      markdownId: null,
      trigger: 'None',
      schedules: [],
      writeAccess: false,
    },
    batchConfig: { tasks },
    payload,
  }
}

function toPipeline(stored: ListedPipeline, writeAccess: boolean, now: Date): Pipeline {
  const { triggers, nextRunAt } = stored
  // No trigger is due before `nextRunAt`, the first of all next runs.
  const after = nextRunAt === null ? now : new Date(nextRunAt.getTime() - 1)
  const isNewest = stored.version === stored.newestVersion
  const schedules = isNewest ? (triggers ?? []) : []
  return {
    id: stored.id,
    name: stored.name,
    groupName: stored.groupName,
    tags: [...stored.summary.tags],
    version: stored.version,
    latest: isNewest,
    lastChangeBy: stored.savedBy,
    modifyDate: formatUtcSeconds(stored.savedAt),
    markdownId: stored.summary.markdownId,
    trigger: schedules.length > 0 ? 'CRON' : 'None',
    schedules: schedules.map(({ cron, timeZone }) => ({
      cron,
      timeZone,
      nextRun: formatUtcSeconds(nextOccurrence([{ cron, timeZone }], after)),
    })),
    writeAccess,
  }
}
