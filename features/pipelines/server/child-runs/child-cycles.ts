import { isReference } from '@headwater/runs/contract'
import {
  loopTaskName,
  pipelineErrors,
  subPipelineTaskName,
  type StoredPipelineTask,
} from '../../contract/index.ts'
import type { GroupAccess } from '@headwater/groups/server'
import type { Principal } from '@headwater/server-kit'
import type { PipelinesStore } from '../pipelines-store.ts'

/** Most pipelines that a save looks at. A run also checks the pipelines above it. */
const maxVisited = 1000

/** Name of a pipeline in a group. */
interface PipelineName {
  name: string
  groupName: string
}

/** Returns the names of the pipelines that tasks run, if they are known before a run. */
export function pipelinesRunBy(tasks: readonly StoredPipelineTask[], ownGroup: string): PipelineName[] {
  return tasks.flatMap(({ taskName, taskGroup, taskOverrides }) => {
    if (taskGroup !== '' || ![subPipelineTaskName, loopTaskName].includes(taskName)) return []
    const valueOf = (name: string): string | undefined => {
      const param = taskOverrides.params.find((each) => each.type === 'INPUT' && each.name === name)
      const value = param?.value.trim() ?? ''
      return param?.mode === 'expression' || isReference(value) ? undefined : value
    }
    const [name, group] = [valueOf('pipeline'), valueOf('group')]
    if (name === undefined || name === '' || group === undefined) return []
    return [{ name, groupName: group || ownGroup }]
  })
}

/**
 * Checks that a pipeline does not run itself through its tasks or those of other pipelines.
 * @throws pipelineInvalid
 */
export async function checkChildCycles(
  { store, groups }: { store: Pick<PipelinesStore, 'find'>; groups: Pick<GroupAccess, 'getGroup'> },
  principal: Principal,
  own: PipelineName,
  tasks: readonly StoredPipelineTask[],
): Promise<void> {
  const keyOf = ({ name, groupName }: PipelineName) => `${groupName}/${name}`
  const open = pipelinesRunBy(tasks, own.groupName)
  const seen = new Set<string>()
  for (let next = open.pop(); next !== undefined && seen.size < maxVisited; next = open.pop()) {
    if (keyOf(next) === keyOf(own))
      throw pipelineErrors.pipelineInvalid({
        problem: `“${own.name}” would run itself, directly or through other pipelines. Choose another pipeline.`,
      })
    if (seen.has(keyOf(next))) continue
    seen.add(keyOf(next))
    // What the user cannot read is checked by its runs.
    const group = await groups.getGroup(principal, next.groupName, 'R').catch(() => undefined)
    const pipeline = group && (await store.find({ groupId: group.id, name: next.name }))
    if (pipeline !== undefined) open.push(...pipelinesRunBy(pipeline.content.tasks, pipeline.groupName))
  }
}
