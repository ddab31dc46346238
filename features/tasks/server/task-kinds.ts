import type { Principal } from '@headwater/server-kit'
import type { TaskDefinition } from '../contract/index.ts'

/** A kind of task that this installation can run. */
export interface TaskKind extends TaskDefinition {
  /** Whether a step that a stop of the server cut off may be done again without harm. */
  repeatable: boolean
  /** Whether it reads what other tasks give by itself, from the store of the run; otherwise references are replaced by values. */
  readsReferences: boolean
  /** What is wrong with the values of its inputs, in a sentence; asked when a task or a pipeline is saved, with those that are known then: no references. */
  problemOf?: (inputs: Readonly<Record<string, string>>) => string | undefined
  run: (work: TaskWork) => Promise<TaskOutcome>
}

/** One execution of a task. */
export interface TaskWork {
  /** Whose rights count. */
  principal: Principal
  run: {
    jobId: string
    /** Undefined for a task that runs by itself. */
    pipelineId: string | undefined
    /** Name of the pipeline, or of the task that runs by itself. */
    name: string
    /** Group the pipeline, or the task, lies in. */
    groupName: string
  }
  /** Id of this execution in statuses. */
  eId: string
  taskName: string
  /** Values of its inputs by name; defaults are filled in. */
  inputs: Readonly<Record<string, string>>
  /** References of its outputs that other tasks wait for, by name. */
  outputs: Readonly<Record<string, string>>
  /** MiB. */
  memory: number
  /** Seconds. */
  timeout: number
  /** Aborts when the run is stopped. */
  signal: AbortSignal
  /** Tells of progress, in a sentence. */
  tell(message: string): Promise<void>
}

/** How an execution ended. WARN and ERROR end the run. */
export interface TaskOutcome {
  status: 'INFO' | 'WARN' | 'ERROR'
  /** For people; empty when there is nothing to say. */
  message: string
  /** What it printed, which stands below the message, or below why it was cut off. Default nothing. */
  printed?: string
  /** What it gives on, by name of the output. */
  outputs?: Readonly<Record<string, string>>
}

/** The kinds of tasks, gathered from the rooms that bring them. */
export interface TaskKinds {
  add(kind: TaskKind): void
  find(name: string): TaskKind | undefined
  /** By readable name. */
  list(): TaskKind[]
}

/** Makes the list of kinds. */
export function createTaskKinds(): TaskKinds {
  const kinds = new Map<string, TaskKind>()
  return {
    add(kind) {
      if (kinds.has(kind.definitionName))
        throw new Error(`There are two kinds of task ${kind.definitionName}.`)
      kinds.set(kind.definitionName, kind)
    },
    find: (name) => kinds.get(name),
    list: () => [...kinds.values()].toSorted((a, b) => a.readableName.localeCompare(b.readableName, 'en')),
  }
}

/** What the API tells of a kind. */
export function definitionOf(kind: TaskKind): TaskDefinition {
  const {
    repeatable: _repeatable,
    readsReferences: _readsReferences,
    problemOf: _problemOf,
    run: _run,
    ...definition
  } = kind
  return definition
}
