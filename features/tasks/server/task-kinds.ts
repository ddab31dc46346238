import type { StepKind, StepOutcome, StepWork } from '@headwater/runs/server'
import type { LockedPackage, Requirement, TaskDefinition, TestTable } from '../contract/index.ts'

/** Work of a test run. It belongs to no stored run, so it cannot start child runs or report progress. */
export type TestWork = Omit<StepWork, 'stepName' | 'children' | 'report'>

/** Receives a line of script output with secrets redacted. */
export type ScriptLine = (line: string, stream: 'stdout' | 'stderr') => void

/** End of a test run. */
export interface TestOutcome extends Pick<StepOutcome, 'status' | 'message'> {
  /** First rows of a SELECT result. Default: none. */
  table?: TestTable
}

/** A kind of task that this installation can run, with the function that runs it. */
export interface TaskKind extends TaskDefinition, StepKind {
  /**
   * Returns an error message for invalid input values. Called when tasks and pipelines are saved, with the values known at that
   * time and without references.
   */
  problemOf?: (inputs: Readonly<Record<string, string>>) => string | undefined | Promise<string | undefined>
  /** Returns an error message with a position for an invalid script. Called when tasks are saved. */
  problemOfScript?: (script: string) => Promise<string | undefined>
  /**
   * Locks the Python packages of a version for its runs, and returns the reasons why runs will fail. Kinds without this
   * function have no packages.
   */
  lockPackages?: (
    inputs: Readonly<Record<string, string>>,
    requirements: readonly Requirement[],
  ) => Promise<{ locked: LockedPackage[]; warnings: string[] }>
  /**
   * Executes user code without a stored run, and reports problems in the script. Kinds without this function have no test
   * runs.
   */
  test?: (work: TestWork, onLine: ScriptLine) => Promise<TestOutcome>
  /** Inputs that can be empty in a test run, because it does not use them. Default: none. */
  unusedByTest?: readonly string[]
}

/** Registry of the kinds of tasks that features add. */
export interface TaskKinds {
  /** Adds a kind. Throws if its name is taken. */
  add(kind: TaskKind): void
  /** Returns the kind with this name. */
  find(name: string): TaskKind | undefined
  /** Returns all kinds, sorted by display name. */
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
