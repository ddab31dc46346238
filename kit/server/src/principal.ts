import type { AccessMode } from '@headwater/contract'

/** One attempt at a step of a run. */
export interface RunAttempt {
  /** Id of the run. */
  runId: string
  /** Id of the execution of the step, unique within the run. */
  eId: string
  /** Number of the attempt, from 1. */
  attempt: number
  /** Whether the server executes the step itself, without user code. Default false. */
  isBuiltIn?: boolean
}

/**
 * A test run of a script. Its code can read data with the access of the user but cannot change data. This object holds the
 * values that the code stores and the messages that it sends.
 */
export interface TestRun {
  /** Returns a value that the code has stored; undefined if there is none. */
  value(name: string): string | undefined
  /** Stores a value; returns false if the test run already has the maximum number of values. */
  setValue(name: string, value: string): boolean
  /** Adds a message of the code to its output. */
  addMessage(message: string): void
}

/** The caller of a request: the signed-in user, with any kind of credentials. */
export interface Principal {
  /** Id of the user. */
  userId: number
  /** The e-mail address, in lower case. */
  userName: string
  /** Id of the user's company. */
  companyId: number
  /** Authentication scheme of the request. */
  scheme: 'Bearer' | 'ApiKey' | 'Basic'
  /** Whether the user is an administrator, who sees every object. */
  isAdministrator: boolean
  /**
   * The attempt at a step of a run, if code of the run is the caller. The access ends with the attempt. Absent for other
   * callers.
   */
  run?: RunAttempt
  /** The test run, if its code is the caller. The ids in `run` then belong to no stored run. Absent for other callers. */
  testRun?: TestRun
  /** Returns whether the roles of the user grant an entitlement, for example `can('Lake/Groups', 'RW')`. */
  can(resource: string, mode: AccessMode): boolean
}
