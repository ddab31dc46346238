import type { AccessMode } from '@headwater/contract'
import type { Principal } from '@headwater/server-kit'
import type { JobStatus, JobType, StatusPayload, TriggerType } from '../contract/index.ts'

/** The functions of groups that statuses use. Groups come later in the dependency order. */
export interface StatusGroups {
  /** Returns the group with this name; throws if the caller has no access to it at `mode`. */
  getGroup(principal: Principal, name: string, mode: AccessMode): Promise<{ id: number; name: string }>
  /** Returns the groups that the caller can read; `all` for an administrator. */
  scope(principal: Principal): Promise<{ groupIds: readonly number[] | 'all' }>
}

/** A job to start. */
export interface NewJob {
  /** Id, a UUID in lower case; default a new one. */
  id?: string | undefined
  /** Kind of job. */
  type: JobType
  /** Name of the pipeline or data prep; for ETL the name of the group. */
  name: string
  /** The group whose readers see the job; without one only its owner does. */
  group?: { id: number; name: string } | undefined
  /** Id of the user who started it. */
  ownerId: number
  /** The object of the job; default empty. */
  payload?: StatusPayload
  /** Triggers; default `['None']`, a manual start. */
  types?: TriggerType[]
  /** Tags of the pipeline; default none. */
  tags?: string[]
  /** Version of the pipeline or data prep. */
  version?: number
  /** Id that all versions of the pipeline share. */
  rootId?: string
  /** Status of the job. Default RUNNING. */
  status?: JobStatus
  /** Message for users; default empty. */
  message?: string
  /**
   * Default false: the feature that started the job ends it with `finishJob`. True: the status of the job is the combined
   * status of its components, and it ends when all of them have ended.
   */
  followsComponents?: boolean
}
