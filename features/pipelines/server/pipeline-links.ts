import type { ItemLink } from '@headwater/items/server'
import type { StoredPipelineTask } from '../contract/index.ts'

/** Returns the objects that a pipeline names: its documentation, and the stored tasks with their groups. */
export function linksOfPipeline({
  tasks,
  markdownId,
}: {
  tasks: readonly Pick<StoredPipelineTask, 'taskId' | 'taskGroup'>[]
  markdownId: string | null
}): ItemLink[] {
  const documentation: ItemLink[] = markdownId ? [{ type: 'file', target: markdownId }] : []
  const used = tasks.flatMap(({ taskId, taskGroup }): ItemLink[] => {
    if (taskGroup === '') return []
    const group: ItemLink = { type: 'group', target: taskGroup }
    return taskId === undefined ? [group] : [group, { type: 'task', target: taskId }]
  })
  return [...documentation, ...used]
}
