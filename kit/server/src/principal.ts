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

/** The caller of a request: the signed-in user, whatever the kind of credentials. */
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
   * The attempt at a step of a run that the caller executes; its access ends with the attempt. Absent for other
   * callers.
   */
  run?: RunAttempt
  /** Returns whether the roles of the user grant an entitlement, for example `can('Lake/Groups', 'RW')`. */
  can(resource: string, mode: AccessMode): boolean
}
