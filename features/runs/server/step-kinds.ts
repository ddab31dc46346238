import type { Principal } from '@headwater/server-kit'
import type { ErrorClass, StepPackages } from '../contract/index.ts'
import type { StepChildren } from './step-children.ts'

/** A kind of step: its execution and its rules. */
export interface StepKind {
  /** Name of the kind, for example `python-runner`. */
  definitionName: string
  /** Whether steps execute user code. Such steps have a separate capacity. Default false. */
  isUserCode?: boolean
  /** Whether an interrupted step can safely be executed again. Otherwise a user decides. */
  repeatable: boolean
  /**
   * Whether a step with these inputs takes at most a few seconds, never waits for runs and is repeatable. Pipelines can execute sequences
   * of such steps in one transaction. References are not resolved. Default: no step does.
   */
  isShort?: (inputs: Readonly<Record<string, string>>) => boolean
  /** Whether the step resolves references itself, from the values of the run. Otherwise the server replaces them with values. */
  readsReferences: boolean
  /** Executes the step. A thrown AppError below 500 ends the step with its message; after another error it is executed again. */
  run: (work: StepWork) => Promise<StepOutcome | StepWait>
}

/** One execution of a step. */
export interface StepWork {
  /** User whose access applies. */
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
  /** Secrets that are removed from all texts for users. The feature of the kind sets them. */
  secretValues?: readonly string[]
  /** References of the outputs that later steps use, by name. */
  outputs: Readonly<Record<string, string>>
  /** Names of the other outputs, for user code. Default: none. */
  unusedOutputs?: readonly string[] | undefined
  /** Python packages of the task. Default: none. */
  packages?: StepPackages | undefined
  /** Memory limit, in MiB. */
  memory: number
  /** Timeout, in seconds. */
  timeout: number
  /** Aborts when the run is stopped. */
  signal: AbortSignal
  /** Runs that the step starts and waits for. */
  children: StepChildren
  /** Reports progress as a message. */
  report(message: string): Promise<void>
}

/** A secret that a task or a pipeline refers to. */
export interface NamedSecret {
  /** Name of the secret. */
  name: string
  /**
   * Group that owns the secret: that of the task or pipeline that refers to it. The user of the run must be able to
   * read it. Default: none.
   */
  groupName?: string | undefined
  /** User whose own secret is used if the group has none: the author of the parameter, and only in runs of that author. Default: none. */
  userName?: string | undefined
  /**
   * User, outside the group that owns the secret, who set other values of the task, for example its URL. Only runs of
   * this user use the secret then, and only with write access to the group. Default: none.
   */
  changedBy?: string | undefined
}

/** End of an execution after which the step waits for its runs. It holds no worker, and executes again after the end of each of them. */
export interface StepWait {
  /** Distinguishes it from a result. */
  status: 'WAIT'
  /** Message for users meanwhile; can be empty. */
  message: string
  /** Number of ended runs that the step has considered. */
  seen: number
  /** Time at which the step executes again at the latest. Default: at the next end of a run. */
  wakeAt?: Date
}

/** Result of an execution. */
export interface StepOutcome {
  /** WARN and ERROR end the run unless its task has another `onError`. */
  status: 'INFO' | 'WARN' | 'ERROR'
  /** Message for users; can be empty. */
  message: string
  /** Classes of an ERROR, which decide whether it is retried. Default `other`. */
  errors?: readonly ErrorClass[]
  /** Output of a script. It follows the message, or the reason why the server stopped the step. Default: none. */
  printed?: string
  /** Text for the log only, as one entry, such as the body of an error response. Default: none. */
  detail?: string
  /** Values of the outputs by name. Default: none. */
  outputs?: Readonly<Record<string, string>>
  /**
   * Branch with which the run continues. The steps that only other branches reach are skipped. Default: the steps of
   * every branch run.
   */
  branch?: string
}
