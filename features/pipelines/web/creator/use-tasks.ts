import { useMemo, useState } from 'react'
import type { Graph } from '@headwater/canvas'
import { createStore } from '@headwater/web-kit'
import type { PipelineInput } from '../../contract/index.ts'
import { type TaskData, tasksOf } from './draft.ts'

/** Returns the tasks of a graph. The array stays the same while only positions and comments change. */
export function useTasks(graph: Graph<TaskData>): PipelineInput['tasks'] {
  const [cache] = useState(() =>
    createStore<{ graph: Graph<TaskData>; tasks: PipelineInput['tasks'] } | undefined>(undefined),
  )
  return useMemo(() => {
    const last = cache.get()
    if (last !== undefined && hasSameTasks(last.graph, graph)) return last.tasks
    const tasks = tasksOf(graph)
    cache.set({ graph, tasks })
    return tasks
  }, [cache, graph])
}

function hasSameTasks(a: Graph<TaskData>, b: Graph<TaskData>): boolean {
  return (
    a.links === b.links &&
    a.nodes.length === b.nodes.length &&
    a.nodes.every((node, at) => {
      const other = b.nodes[at]!
      return node.id === other.id && node.label === other.label && node.data === other.data
    })
  )
}
