import type { StepKind, StepOutcome, StepWork } from '@headwater/runs/server'
import type { LockedPackage, Requirement, TaskDefinition, TestTable } from '../contract/index.ts'

/** Work of a test run. It belongs to no stored run, so it starts none and reports no progress. */
export type TestWork = Omit<StepWork, 'stepName' | 'children' | 'report'>

/** Receives a line of the output of a script, without secrets. */
export type ScriptLine = (line: string, stream: 'stdout' | 'stderr') => void

/** End of a test run. */
export interface TestOutcome extends Pick<StepOutcome, 'status' | 'message'> {
  /** First rows of the result of a SELECT. Default: none. */
  table?: TestTable
}

/** A kind of task that this installation can run, with the function that runs it. */
export interface TaskKind extends TaskDefinition, StepKind {
  /**
   * Returns the problem with the values of the inputs, as a sentence. Saves of tasks and pipelines call it with the values known then,
   * without references.
   */
  problemOf?: (inputs: Readonly<Record<string, string>>) => string | undefined | Promise<string | undefined>
  /** Returns the problem with a script, as a sentence with its position. Saves of tasks call it. */
  problemOfScript?: (script: string) => Promise<string | undefined>
  /**
   * Locks the Python packages of a version for its runs and returns reasons for which runs will fail. Kinds without this function
   * have no packages.
   */
  lockPackages?: (
    inputs: Readonly<Record<string, string>>,
    requirements: readonly Requirement[],
  ) => Promise<{ locked: LockedPackage[]; warnings: string[] }>
  /** Executes code of users without a stored run; also reports problems of the script. Kinds without this function have no test runs. */
  test?: (work: TestWork, onLine: ScriptLine) => Promise<TestOutcome>
  /** Inputs that a test run does not use, so they can be empty. Default: none. */
  unusedByTest?: readonly string[]
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
    isUserCode: _isUserCode,
    repeatable: _repeatable,
    isShort: _isShort,
    readsReferences: _readsReferences,
    problemOf: _problemOf,
    problemOfScript: _problemOfScript,
    lockPackages: _lockPackages,
    run: _run,
    test: _test,
    unusedByTest: _unusedByTest,
    ...definition
  } = kind
  return definition
}
