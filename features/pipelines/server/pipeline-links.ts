import { isUuid } from '@headwater/contract'
import type { ItemLink } from '@headwater/items/server'
import { parseObjectValue } from '@headwater/tasks/core'
import type { StoredPipelineTask } from '../contract/index.ts'

/**
 * Returns the objects that a pipeline refers to: its documentation, its saved tasks with their groups, and the objects that it
 * passes to tasks.
 * @param content.valueLinks objects that it passes to tasks; absent in versions saved before they were stored
 */
export function linksOfPipeline({
  tasks,
  markdownId,
  valueLinks,
}: {
  tasks: readonly Pick<
    StoredPipelineTask,
    'taskId' | 'taskGroup' | 'taskVersion' | 'taskReadableName' | 'taskOverrides'
  >[]
  markdownId: string | null
  valueLinks?: readonly ItemLink[] | undefined
}): ItemLink[] {
  const documentation: ItemLink[] = markdownId ? [{ type: 'file', target: markdownId }] : []
  const used = tasks.flatMap(({ taskId, taskGroup, taskVersion, taskReadableName: part }): ItemLink[] => {
    if (taskGroup === '') return []
    const group: ItemLink = { type: 'group', target: taskGroup, part }
    const targetVersion = taskVersion ?? undefined
    return taskId === undefined ? [group] : [group, { type: 'task', target: taskId, part, targetVersion }]
  })
  return [...documentation, ...used, ...(valueLinks ?? linksOfUntypedValues(tasks))]
}

/** Returns links for values of unknown type: an id can refer to a file or a data prep. */
function linksOfUntypedValues(
  tasks: readonly Pick<StoredPipelineTask, 'taskReadableName' | 'taskOverrides'>[],
): ItemLink[] {
  return tasks.flatMap(({ taskReadableName: part, taskOverrides }) =>
    taskOverrides.params.flatMap(({ type, value, mode }): ItemLink[] => {
      const object = type === 'INPUT' && mode !== 'expression' ? parseObjectValue(value.trim()) : undefined
      if (object === undefined || !isUuid(object.id)) return []
      const own: ItemLink[] = [
        { type: 'file', target: object.id, part },
        { type: 'data-prep', target: object.id, part },
      ]
      return object.groupName ? [...own, { type: 'group', target: object.groupName, part }] : own
    }),
  )
}
