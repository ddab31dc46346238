import type { AccessMode } from '@headwater/contract'
import type { Principal } from '@headwater/server-kit'
import type { JobStatus, JobType, StatusPayload, TriggerType } from '../contract/index.ts'

/** The functions of groups that statuses use. A parameter, because that feature comes later in the dependency order. */
export interface StatusGroups {
  /** Returns the group with this name; throws if the caller does not have the access `mode` to it. */
  getGroup(principal: Principal, name: string, mode: AccessMode): Promise<{ id: number; name: string }>
  /** Returns the groups that the caller can read; `all` for an administrator. */
  scope(principal: Principal): Promise<{ groupIds: readonly number[] | 'all' }>
}

/** A job to start. */
export interface NewJob {
  /** Id, a UUID in lower case. Default: a new UUID. */
  id?: string | undefined
  /** Kind of job. */
  type: JobType
  /** Name of the pipeline or data prep; for ETL, name of the group. */
  name: string
  /** Group that the job belongs to: users who can read it can see the job. Default: none; only the owner can see it. */
  group?: { id: number; name: string } | undefined
  /** Id of the user who started the job. */
  ownerId: number
  /** The object that the job refers to. Default: empty. */
  payload?: StatusPayload
  /** Triggers. Default `['None']`, a manual start. */
  types?: TriggerType[]
  /** Tags of the pipeline. Default: none. */
  tags?: string[]
  /** Version of the pipeline or data prep. */
  version?: number
  /** Id that all versions of the pipeline share. */
  rootId?: string
  /** Status of the job. Default RUNNING. */
  status?: JobStatus
  /** Message for users. Default: empty. */
  message?: string
  /**
   * Whether the status of the job is the combined status of its components, so that it ends when all of them have ended.
   * Otherwise the feature that started the job ends it with `finishJob`. Default false.
   */
  followsComponents?: boolean
}
