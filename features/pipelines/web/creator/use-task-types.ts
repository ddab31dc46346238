import { useMemo } from 'react'
import { useQueries } from '@tanstack/react-query'
import type { Task } from '@headwater/tasks/contract'
import { taskQuery, useTaskChoices } from '@headwater/tasks/web'
import type { TaskData, TaskNode } from './draft.ts'

/** Returns the task of a node; undefined while it loads, and without access to it. */
export type TaskOf = (data: TaskData) => Task | undefined

/** Loads the tasks of a pipeline: the newest versions in one request, each older version separately. */
export function useTaskTypes(nodes: readonly TaskNode[]): { tasks: readonly Task[]; taskOf: TaskOf } {
  const { tasks } = useTaskChoices('')
  const byName = useMemo(
    () => new Map(tasks.map((task) => [nameKey(task.groupName, task.name), task])),
    [tasks],
  )
  const single = useMemo(() => {
    const wanted = new Map<string, { id: string; version: string | undefined }>()
    for (const { data } of nodes) {
      const known = byName.get(nameKey(data.taskGroup, data.taskName))
      const version = data.taskVersion === null ? undefined : String(data.taskVersion)
      const isKnown = known !== undefined && (version === undefined || version === String(known.version))
      const id = data.taskId ?? known?.id
      if (!isKnown && id !== undefined && tasks.length > 0) wanted.set(`${id} ${version}`, { id, version })
    }
    return [...wanted.values()]
  }, [nodes, byName, tasks])
  const singles = useQueries({
    queries: single.map(({ id, version }) => taskQuery(id, version)),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  })
  return useMemo(() => {
    const byVersion = new Map(
      singles.map((task) => [`${nameKey(task.groupName, task.name)} ${task.version}`, task]),
    )
    const newest = new Map(singles.map((task) => [nameKey(task.groupName, task.name), task]))
    return {
      tasks,
      taskOf: ({ taskGroup, taskName, taskVersion }) => {
        const key = nameKey(taskGroup, taskName)
        const known = byName.get(key)
        if (taskVersion === null || known?.version === taskVersion) return known ?? newest.get(key)
        return byVersion.get(`${key} ${taskVersion}`)
      },
    }
  }, [tasks, byName, singles])
}

function nameKey(group: string, name: string): string {
  return `${group}/${name}`
}
