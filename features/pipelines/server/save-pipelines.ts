import { randomUUID } from 'node:crypto'
import type { AccessibleGroup } from '@headwater/groups/server'
import type { Executor, Principal } from '@headwater/server-kit'
import type { PipelineInput } from '../contract/index.ts'
import { checkChildCycles } from './child-runs/child-cycles.ts'
import { accessToPipelines } from './pipeline-access.ts'
import type { PipelinesServiceDependencies } from './pipelines-dependencies.ts'
import type { PipelineContent } from './pipelines-store.ts'

/**
 * Saves a new pipeline with its schedule and returns its id.
 * @throws pipelineExists, pipelineGroupNotFound, pipelineGroupForbidden, and the errors of `RunPlans.check`
 */
export async function createPipeline(
  deps: PipelinesServiceDependencies,
  principal: Principal,
  input: PipelineInput,
): Promise<string> {
  const access = accessToPipelines(deps)
  const group = await access.requireGroup(principal, input.groupName)
  const saved = await versionOf(deps, principal, group, input)
  const id = randomUUID()
  const outcome = await deps.store.create(id, saved, { inSameTransaction: scheduleSetter(deps, id, saved) })
  await access.requireSaved(principal, outcome, { id, name: input.name, group: group.name })
  return id
}

/**
 * Saves a new version of a pipeline with its schedule and returns its id.
 * @param change.version number of the edited version; default: the newest
 * @throws pipelineNotFound, pipelineChanged if a newer version exists, and the errors of `createPipeline`
 */
export async function updatePipeline(
  deps: PipelinesServiceDependencies,
  principal: Principal,
  id: string,
  { version: basedOn, ...input }: PipelineInput & { version?: number | undefined },
): Promise<string> {
  const access = accessToPipelines(deps)
  const { item } = await access.require(principal, { id }, 'RW')
  const group = await access.requireGroup(principal, input.groupName)
  const { executionMode = item.content.executionMode } = input
  const saved = await versionOf(deps, principal, group, { ...input, executionMode })
  const inSameTransaction = scheduleSetter(deps, item.id, saved)
  const outcome = await deps.store.save(item.id, { ...saved, basedOn }, { inSameTransaction })
  await access.requireSaved(principal, outcome, { id, name: input.name, group: group.name })
  return item.id
}

async function versionOf(
  { plans, schedules, clock, store, groups }: PipelinesServiceDependencies,
  principal: Principal,
  group: AccessibleGroup,
  input: PipelineInput,
) {
  // Schedules are checked first, because their errors name the field.
  await schedules.check(input.tasks)
  const { tasks, valueLinks } = await plans.check(principal, input.tasks)
  await checkChildCycles({ store, groups }, principal, { name: input.name, groupName: group.name }, tasks)
  const { name, payload, tags, markdownId = null, executionMode = 'durable' } = input
  const content: PipelineContent = { tasks, payload, tags, markdownId, executionMode, valueLinks }
  return { groupId: group.id, name, content, savedBy: principal.userId, savedAt: clock.now() }
}

function scheduleSetter(
  { schedules }: PipelinesServiceDependencies,
  id: string,
  { content, savedBy }: { content: PipelineContent; savedBy: number },
) {
  return (executor: Executor) => schedules.set(id, content.tasks, savedBy, executor)
}
