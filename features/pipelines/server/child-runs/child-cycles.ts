import { isReference } from '@headwater/runs/contract'
import {
  loopTaskName,
  pipelineErrors,
  subPipelineTaskName,
  type StoredPipelineTask,
} from '../../contract/index.ts'
import type { GroupAccess } from '@headwater/groups/server'
import { unlessRefused, type Principal } from '@headwater/server-kit'
import type { PipelinesStore, StoredPipeline } from '../pipelines-store.ts'

/** Maximum number of pipelines that a save checks. A run also checks its parent runs. */
const maxVisited = 1000

/** Name of a pipeline in a group. */
interface PipelineName {
  name: string
  groupName: string
}

/** Returns the names of the pipelines that tasks run, as far as they are known before a run. */
function pipelinesRunBy(tasks: readonly StoredPipelineTask[], ownGroup: string): PipelineName[] {
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
 * Returns the pipelines that tasks run, directly or through other pipelines, without duplicates. `pipeline` is undefined if it
 * does not exist or the caller cannot read it; the pipelines that it runs are then unknown.
 */
export async function* pipelinesBelow(
  { store, groups }: { store: Pick<PipelinesStore, 'find'>; groups: Pick<GroupAccess, 'getGroup'> },
  principal: Principal,
  tasks: readonly StoredPipelineTask[],
  ownGroup: string,
): AsyncGenerator<PipelineName & { pipeline: StoredPipeline | undefined }> {
  const open = pipelinesRunBy(tasks, ownGroup)
  const seen = new Set<string>()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(keyOf(next))) continue
    seen.add(keyOf(next))
    const group = await unlessRefused(groups.getGroup(principal, next.groupName, 'R'))
    const pipeline = group && (await store.find({ groupId: group.id, name: next.name }))
    yield { ...next, pipeline }
    if (pipeline !== undefined) open.push(...pipelinesRunBy(pipeline.content.tasks, pipeline.groupName))
  }
}

/**
 * Checks that a pipeline does not run itself, directly or through other pipelines. Pipelines that the user cannot read are
 * checked when they run.
 * @throws pipelineInvalid
 */
export async function checkChildCycles(
  deps: Parameters<typeof pipelinesBelow>[0],
  principal: Principal,
  own: PipelineName,
  tasks: readonly StoredPipelineTask[],
): Promise<void> {
  let visited = 0
  for await (const each of pipelinesBelow(deps, principal, tasks, own.groupName)) {
    if (keyOf(each) === keyOf(own))
      throw pipelineErrors.pipelineInvalid({
        problem: `“${own.name}” would run itself, directly or through other pipelines. Choose another pipeline.`,
      })
    visited += 1
    if (visited >= maxVisited) return
  }
}

function keyOf({ name, groupName }: PipelineName): string {
  return `${groupName}/${name}`
}
