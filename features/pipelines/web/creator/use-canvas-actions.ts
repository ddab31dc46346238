import { useQueryClient } from '@tanstack/react-query'
import {
  addNode,
  type CanvasActions,
  type CanvasHandle,
  clipboardText,
  type Graph,
  moveItems,
  newNodePosition,
  partOf,
  paste,
  type Point,
  readClipboardText,
  removeItems,
  setComment,
  uniqueName,
} from '@headwater/canvas'
import type { RefObject } from 'react'
import type { Task, TaskParam } from '@headwater/tasks/contract'
import { addRecentTask, taskQuery } from '@headwater/tasks/web'
import { errorMessage, message } from '@headwater/web-kit'
import { maxPipelineTasks } from '../../contract/index.ts'
import { clipboardKind, connect, copyOf, readTaskData, type TaskData, withReferences } from './draft.ts'
import { draggedTaskType } from './TaskPalette.tsx'
import { onlyLink, portsOf } from './task-ports.ts'
import type { Creator } from './use-creator.ts'
import type { TaskOf } from './use-task-types.ts'

/** What the user is about to delete. */
export type Deletion = { kind: 'nodes'; ids: ReadonlySet<string> } | { kind: 'comment'; id: string }

const newId = () => crypto.randomUUID()
const noLinks = { in: new Set<string>(), out: new Set<string>() }

/** Actions of the canvas on the draft of a pipeline. */
export function useCanvasActions(
  creator: Creator,
  canvas: RefObject<CanvasHandle | null>,
  confirm: (deletion: Deletion) => void,
  taskOf: TaskOf,
) {
  const client = useQueryClient()
  const { change, select } = creator
  const changeGraph = (edit: (graph: Graph<TaskData>) => Graph<TaskData>, mergeKey?: string) =>
    change((draft) => ({ ...draft, graph: edit(draft.graph) }), mergeKey)

  /**
   * Adds a task at a position, or else to the right of the selected or newest task. Without a position, links it with the only selected
   * task if exactly one link fits.
   */
  async function addTask(taskId: string, at?: Point): Promise<void> {
    const task = await client.fetchQuery({ ...taskQuery(taskId), staleTime: 0 }).catch((error: unknown) => {
      message(errorMessage(error), 'warn')
    })
    if (task === undefined) return
    const id = newId()
    if (creator.draft.graph.nodes.length >= maxPipelineTasks) return message(tooMany, 'warn') as never
    addRecentTask(task)
    changeGraph((graph) => {
      const names = new Set(graph.nodes.map(({ label }) => label))
      const selected = graph.nodes.filter((node) => creator.selection.has(node.id))
      const position = at ?? newNodePosition(graph.nodes, selected.at(-1) ?? graph.nodes.at(-1))
      const node = { id, label: uniqueName(task.readableName, names), position, data: dataOf(task) }
      const added = addNode(graph, node)
      const [before] = selected
      if (at !== undefined || before === undefined || selected.length > 1) return added
      const link = onlyLink(
        portsOf(before.data, taskOf(before.data), noLinks),
        portsOf(node.data, task, noLinks),
      )
      if (link === undefined) return added
      return connect(added, { node: before.id, port: link.from }, { node: id, port: link.to }, newId)
    })
    select(new Set([id]))
    canvas.current?.focusNode(id)
  }

  function insert(part: Graph<TaskData>): void {
    const count = creator.draft.graph.nodes.length + part.nodes.length
    if (count > maxPipelineTasks) {
      message(tooMany, 'warn')
      return
    }
    changeGraph((graph) => {
      const pasted = paste(graph, part, newId, copyOf)
      select(pasted.ids)
      return withReferences(pasted.graph, newId)
    })
  }

  const actions: CanvasActions = {
    move: (moves) => changeGraph((graph) => moveItems(graph, moves)),
    link: (from, to) => changeGraph((graph) => connect(graph, from, to, newId)),
    reject: (problem) => void message(problem, 'warn'),
    removeLinks: (ids) => changeGraph((graph) => removeItems(graph, ids)),
    deleteNodes: (ids) => confirm({ kind: 'nodes', ids }),
    deleteComment: (id) => confirm({ kind: 'comment', id }),
    setComment: (comment) => changeGraph((graph) => setComment(graph, comment), `comment ${comment.id}`),
    showComments: (commentsVisible) => change((draft) => ({ ...draft, commentsVisible })),
    copy: (ids) => clipboardText(clipboardKind, partOf(creator.draft.graph, ids)),
    paste(text) {
      const part = readClipboardText(text, clipboardKind, readTaskData)
      if (part === undefined || part.nodes.length + part.comments.length === 0)
        message('The clipboard has no tasks. Copy tasks of a pipeline first.', 'warn')
      else insert(part)
    },
    duplicate: (ids) => insert(partOf(creator.draft.graph, ids)),
    undo: creator.undo,
    redo: creator.redo,
    drop(data, at) {
      const taskId = data.getData(draggedTaskType)
      if (taskId !== '') void addTask(taskId, at)
    },
  }
  return { actions, addTask, changeGraph }
}

const tooMany = `A pipeline can have at most ${maxPipelineTasks} tasks. Move some of them to another pipeline.`

/** Inputs of built-in tasks that are usually expressions start in the expression mode. */
function ownExpression({ name, type, mode }: TaskParam): TaskData['taskOverrides']['params'] {
  return mode === 'expression' ? [{ name, type, value: '', mode }] : []
}

function dataOf(task: Task): TaskData {
  return {
    taskId: task.id,
    taskName: task.name,
    taskGroup: task.groupName,
    taskVersion: null,
    taskCategory: task.category,
    taskOverrides: {
      params: task.groupName === '' ? task.params.flatMap(ownExpression) : [],
    },
    isPaused: task.isPaused,
  }
}
