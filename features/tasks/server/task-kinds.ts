import type { Principal } from '@headwater/server-kit'
import type { TaskDefinition } from '../contract/index.ts'

/** A kind of task that this installation can run, with the function that runs it. */
export interface TaskKind extends TaskDefinition {
  /** Whether an interrupted step can safely run again after a restart of the server. */
  repeatable: boolean
  /** Whether the task resolves references itself, from the store of the run. Otherwise the server replaces them with values. */
  readsReferences: boolean
  /**
   * Returns the problem with the values of the inputs, as a sentence. Saves of tasks and pipelines call it with the values known then,
   * without references.
   */
  problemOf?: (inputs: Readonly<Record<string, string>>) => string | undefined
  /** Executes the task. */
  run: (work: TaskWork) => Promise<TaskOutcome>
}

/** One execution of a task. */
export interface TaskWork {
  /** User whose access applies. */
  principal: Principal
  /** The run that the execution belongs to. */
  run: {
    /** Id of the run. */
    jobId: string
    /** Undefined for a task that runs without a pipeline. */
    pipelineId: string | undefined
    /** Name of the pipeline, or of the task that runs without one. */
    name: string
    /** Group of the pipeline or task. */
    groupName: string
  }
  /** Id of this execution in statuses. */
  eId: string
  /** Name of the task. */
  taskName: string
  /** Values of the inputs by name, with defaults applied. */
  inputs: Readonly<Record<string, string>>
  /** References of the outputs that later tasks use, by name. */
  outputs: Readonly<Record<string, string>>
  /** Memory limit, in MiB. */
  memory: number
  /** Timeout, in seconds. */
  timeout: number
  /** Aborts when the run is stopped. */
  signal: AbortSignal
  /** Reports progress as a message. */
  report(message: string): Promise<void>
}

/** Result of an execution. */
export interface TaskOutcome {
  /** WARN and ERROR end the run. */
  status: 'INFO' | 'WARN' | 'ERROR'
  /** Message for users; can be empty. */
  message: string
  /** Output of the script. It follows the message, or the reason why the server stopped the task. Default none. */
  printed?: string
  /** Values of the outputs by name. Default none. */
  outputs?: Readonly<Record<string, string>>
}

/** Registry of the kinds of tasks that features add. */
export interface TaskKinds {
  /** Adds a kind. Throws if its name is taken. */
  add(kind: TaskKind): void
  /** Returns the kind with this name. */
  find(name: string): TaskKind | undefined
  /** Returns all kinds, sorted by readable name. */
  list(): TaskKind[]
}

/** Creates an empty registry. */
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

/** Returns the fields of a kind that the API exposes. */
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
