import type { Principal } from '@headwater/server-kit'
import type { ErrorClass, StepPackages } from '../contract/index.ts'
import type { StepChildren } from './step-children.ts'

/** A kind of step: its execution and its rules. */
export interface StepKind {
  /** Name of the kind, for example `python-runner`. */
  definitionName: string
  /** Whether steps execute user code. Such steps have a separate capacity. Default false. */
  isUserCode?: boolean
  /** Whether an interrupted step can safely be executed again. If false, a user decides. */
  repeatable: boolean
  /**
   * Returns whether a step with these inputs takes at most a few seconds, never waits for child runs and is repeatable.
   * Pipelines can fuse sequences of such steps. References in the inputs are unresolved. Default: false.
   */
  isShort?: (inputs: Readonly<Record<string, string>>) => boolean
  /** Whether the step resolves references itself from the run values. Otherwise the server replaces them with values. */
  readsReferences: boolean
  /**
   * Executes the step. A thrown AppError with a status below 500 ends the step with its message; after any other error, the
   * step is executed again.
   */
  run: (work: StepWork) => Promise<StepOutcome | StepWait>
}

/** One execution of a step. */
export interface StepWork {
  /** User who started the run. The step has the access of this user. */
  principal: Principal
  /** The run that the execution belongs to. */
  run: {
    /** Id of the run. */
    jobId: string
    /** Id of the pipeline; undefined for a task that runs without one. */
    pipelineId: string | undefined
    /** Name of the pipeline, or of the task that runs without one. */
    name: string
    /** Group of the pipeline or task; empty if it is built in. */
    groupName: string
  }
  /** Id of this execution in statuses. */
  eId: string
  /** Number of this attempt, from 1. */
  attempt: number
  /** Name of the step in statuses and logs. */
  stepName: string
  /** Name of the task. */
  taskName: string
  /** Id of the saved task; undefined for a built-in one. */
  taskId?: string | undefined
  /** Values of the inputs by name, with defaults applied. */
  inputs: Readonly<Record<string, string>>
  /**
   * Secrets that inputs refer to, by input. The feature of the kind replaces their names in `inputs` with the secrets.
   * Default: none.
   */
  secretInputs?: Readonly<Record<string, NamedSecret>> | undefined
  /** Secret values that are removed from all messages. The feature that provides the kind sets them. */
  secretValues?: readonly string[]
  /** References to the outputs that later steps use, by output name. */
  outputs: Readonly<Record<string, string>>
  /** Names of the outputs that no later step uses; only for user code. Default: none. */
  unusedOutputs?: readonly string[] | undefined
  /** Python packages of the task. Default: none. */
  packages?: StepPackages | undefined
  /** Memory limit, in MiB. */
  memory: number
  /** Timeout, in seconds. */
  timeout: number
  /** Aborts when the run is stopped. */
  signal: AbortSignal
  /** Child runs of the step. */
  children: StepChildren
  /** Reports a progress message. */
  report(message: string): Promise<void>
}

/** A secret that a task or a pipeline refers to. */
export interface NamedSecret {
  /** Name of the secret. */
  name: string
  /**
   * Group that owns the secret: the group of the task or pipeline that refers to it. The user of the run needs read access
   * to the group. Default: none.
   */
  groupName?: string | undefined
  /** Author of the parameter. If the group has no such secret, runs of this user use the user's own secret. Default: none. */
  userName?: string | undefined
  /**
   * User of another group who has set other values of the task, such as its URL. If set, only runs of this user can use the
   * secret, and only if the user has write access to the group of the secret. Default: none.
   */
  changedBy?: string | undefined
}

/**
 * Result of an execution after which the step waits for its child runs. The step holds no worker, and executes again whenever
 * one of them ends.
 */
export interface StepWait {
  /** Distinguishes it from a result. */
  status: 'WAIT'
  /** Message shown while the step waits; can be empty. */
  message: string
  /** Number of ended child runs that the step has taken into account. */
  seen: number
  /** Latest time at which the step executes again. Default: when the next child run ends. */
  wakeAt?: Date
}

/** Result of an execution. */
export interface StepOutcome {
  /** Result. WARN and ERROR end the run, depending on `onError` of the task. */
  status: 'INFO' | 'WARN' | 'ERROR'
  /** Message for users; can be empty. */
  message: string
  /** Classes of an ERROR, which determine whether it is retried. Default `other`. */
  errors?: readonly ErrorClass[]
  /** Output of a script. It is appended to the message, or to the reason why the server stopped the step. Default: none. */
  printed?: string
  /** Additional log entry, such as the body of an error response. It is not part of the message. Default: none. */
  detail?: string
  /** Values of the outputs by name. Default: none. */
  outputs?: Readonly<Record<string, string>>
  /**
   * Branch with which the run continues. Steps that only other branches reach are skipped. Default: the steps of every branch
   * run.
   */
  branch?: string
}
