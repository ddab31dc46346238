import { approvalTaskName } from '@headwater/approvals/contract'
import { isReference, triggerValueName } from '@headwater/runs/contract'
import type { Branch } from '@headwater/tasks/contract'
import { pipelineErrors, type StoredPipelineTask } from '../contract/index.ts'
import { linksBefore, providersIn, type LinkBefore } from '../core/index.ts'
import { orRefuse } from './run-plans.ts'

/** Selection of the tasks of a run. At most one of the first three fields is set. */
export interface RunPart {
  /** Runs only this task. */
  onlyNodeId?: string | undefined
  /** Runs this task and all tasks that it waits for. */
  untilNodeId?: string | undefined
  /** Runs this task and all tasks after it. */
  fromNodeId?: string | undefined
  /** Tasks that do not run, with their output values. Default: none. */
  pinned?: readonly PinnedTask[] | undefined
}

/** A task that does not run, with its output values. */
export interface PinnedTask {
  /** Task within the pipeline. */
  nodeId: string
  /** Output values. */
  outputs: readonly { name: string; value: string }[]
}

/** Position of a task in the order of a run. */
export interface Node {
  /** Id of the task within the pipeline. */
  id: string
  /** Ids of the tasks that it waits for. */
  before: readonly string[]
}

/**
 * Returns the ids of the tasks that run. Tasks that only a pinned task needs do not run.
 * @throws pipelineInvalid if there is no such task, or nothing to run
 */
export function tasksToRun(nodes: readonly Node[], part: RunPart): Set<string> {
  const { onlyNodeId, untilNodeId, fromNodeId, pinned = [] } = part
  const byId = new Map(nodes.map((node) => [node.id, node]))
  for (const id of [onlyNodeId, untilNodeId, fromNodeId, ...pinned.map(({ nodeId }) => nodeId)])
    if (id !== undefined && !byId.has(id))
      throw pipelineErrors.pipelineInvalid({
        problem: `There is no task “${id}”. Choose one of the tasks of the pipeline.`,
      })
  const without = new Set(pinned.map(({ nodeId }) => nodeId))
  const selected = new Set<string>()
  if (onlyNodeId !== undefined) selected.add(onlyNodeId)
  else if (untilNodeId !== undefined)
    collect(selected, untilNodeId, (id) => (without.has(id) ? [] : byId.get(id)!.before))
  else if (fromNodeId !== undefined) collect(selected, fromNodeId, nextIn(nodes))
  else for (const { id } of nodes) selected.add(id)
  const running = new Set([...selected].filter((id) => !without.has(id)))
  if (running.size === 0)
    throw pipelineErrors.pipelineInvalid({
      problem: 'All selected tasks are pinned, so nothing would run. Unpin a task.',
    })
  return running
}

/**
 * Returns whether a part of a pipeline runs tasks that follow an approval without that approval. Only users who can change the
 * pipeline can run such a part.
 * @throws pipelineInvalid
 */
export function skipsApproval(tasks: readonly StoredPipelineTask[], part: RunPart): boolean {
  const approvals = tasks.filter(
    ({ taskName, taskGroup }) => taskGroup === '' && taskName === approvalTaskName,
  )
  if (approvals.length === 0) return false
  const before = orRefuse(() => linksBefore(tasks))
  const nodes = tasks.map(({ id }) => ({ id, before: before.get(id)!.map((link) => link.id) }))
  return hasSkipped(nodes, tasksToRun(nodes, part), new Set(approvals.map(({ id }) => id)))
}

/** Returns whether a task that runs waits, directly or indirectly, for one of the given tasks that does not run. */
export function hasSkipped(
  nodes: readonly Node[],
  running: ReadonlySet<string>,
  wanted: ReadonlySet<string>,
): boolean {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const reached = new Set<string>()
  for (const id of running) collect(reached, id, (next) => byId.get(next)?.before)
  return [...reached].some((id) => wanted.has(id) && !running.has(id))
}

/** Adds an id and everything that can be reached from it to a set. */
export function collect<T extends string | number>(
  reached: Set<T>,
  first: T,
  next: (id: T) => readonly T[] | undefined,
): void {
  const waiting: T[] = [first]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (reached.has(id)) continue
    reached.add(id)
    waiting.push(...(next(id) ?? []))
  }
}

/** Start of a link: a task or step, and its branch that the link follows. */
export interface LinkStart<Id> extends Pick<LinkBefore, 'branch'> {
  /** Id of the task, or number of the step. */
  id: Id
}

/**
 * Follows links backwards and returns all reached tasks, each with the branch that leads to the start.
 * @param before returns the links before a reached task; returns none to stop there
 */
export function linksThrough<Id>(
  first: readonly LinkStart<Id>[],
  before: (id: Id) => readonly LinkStart<Id>[],
): Map<Id, string | undefined> {
  const reached = new Map<Id, string | undefined>()
  const waiting = [...first]
  for (let link = waiting.pop(); link !== undefined; link = waiting.pop()) {
    const { id, branch } = link
    if (!reached.has(id)) waiting.push(...before(id))
    reached.set(id, reached.has(id) && reached.get(id) !== branch ? undefined : branch)
  }
  return reached
}

function nextIn(nodes: readonly Node[]): (id: string) => string[] | undefined {
  const next = new Map<string, string[]>()
  for (const { id, before } of nodes)
    for (const other of before) next.set(other, [...(next.get(other) ?? []), id])
  return (id) => next.get(id)
}

/** The tasks of a partial run, and the values that they need from tasks that do not run. */
export interface SelectedTasks {
  /** Tasks that run. If a previous task does not run, `prevTasks` contains the tasks before it. */
  tasks: StoredPipelineTask[]
  /** Values of outputs of tasks that do not run, by reference. */
  values: Record<string, string>
}

/**
 * Selects the tasks of a run and the values of tasks that do not run. Pinned values take precedence over values of the earlier
 * run.
 * @param earlier values of an earlier run, by reference
 * @throws pipelineInvalid, valueMissing
 */
export function selectTasks(
  tasks: readonly StoredPipelineTask[],
  part: RunPart,
  earlier: ReadonlyMap<string, string>,
): SelectedTasks {
  const before = orRefuse(() => linksBefore(tasks))
  const running = tasksToRun(
    tasks.map(({ id }) => ({ id, before: before.get(id)!.map((link) => link.id) })),
    part,
  )
  const pinned = pinnedValues(part.pinned ?? [], (nodeId) => outputsOf(tasks.find(({ id }) => id === nodeId)))
  const providers = providersIn(tasks)
  const values: Record<string, string> = {}
  for (const task of tasks.filter(({ id }) => running.has(id)))
    for (const { name, type, value: reference } of task.taskOverrides.params) {
      if (type !== 'INPUT' || !isReference(reference)) continue
      const provider = tasks.find(({ id }) => id === providers.get(reference))
      if (provider !== undefined && running.has(provider.id)) continue
      const value = pinned.get(reference) ?? earlier.get(reference)
      if (value !== undefined) values[reference] = value
      else if (triggerValueName(reference) === undefined)
        throw pipelineErrors.valueMissing({
          input: name,
          task: task.taskReadableName,
          provider: provider?.taskReadableName ?? reference,
        })
    }
  const previous = (id: string) =>
    [...linksThrough(before.get(id)!, (next) => (running.has(next) ? [] : before.get(next)!))]
      .filter(([other]) => running.has(other))
      .map(([other, branch]) => ({ id: other, branch: branch as Branch | undefined }))
  return {
    tasks: tasks
      .filter(({ id }) => running.has(id))
      .map((task) => ({ ...task, prevTasks: previous(task.id) })),
    values,
  }
}

/**
 * Returns the values of pinned tasks, by reference.
 * @param referencesOf returns the references to the outputs of a task, by output name; undefined if the task does not exist
 */
export function pinnedValues(
  pinned: readonly PinnedTask[],
  referencesOf: (nodeId: string) => Readonly<Record<string, string>> | undefined,
): Map<string, string> {
  const values = new Map<string, string>()
  for (const { nodeId, outputs } of pinned) {
    const references = new Map(Object.entries(referencesOf(nodeId) ?? {}))
    for (const { name, value } of outputs) {
      const reference = references.get(name)
      if (reference !== undefined && isReference(reference)) values.set(reference, value)
    }
  }
  return values
}

function outputsOf(task: StoredPipelineTask | undefined): Record<string, string> | undefined {
  const outputs = task?.taskOverrides.params.filter(({ type }) => type === 'OUTPUT')
  return outputs && Object.fromEntries(outputs.map(({ name, value }) => [name, value]))
}
