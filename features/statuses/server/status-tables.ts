import type { Generated } from 'kysely'
import type { JobStatus, JobType, StatusPayload, TriggerType } from '../contract/index.ts'

/** Tables of the feature. */
export interface StatusTables {
  jobs: {
    id: string
    seq: number
    type: JobType
    name: string
    group_id: number | null
    group_name: string
    owner_id: number
    status: JobStatus
    latest_status: JobStatus
    latest_message: string
    latest_component: string
    /** Groups with data in the latest status, in addition to the group of the job. */
    latest_group_ids: Generated<number[]>
    payload: StatusPayload
    types: TriggerType[]
    tags: string[]
    version: number | null
    root_id: string | null
    follows_components: boolean
    started_at: Date
    ended_at: Date | null
    warn_count: Generated<number>
    error_count: Generated<number>
  }
  job_components: {
    job_id: string
    e_id: string
    seq: number
    prev_e_id: string | null
    component: string
    status: JobStatus
    message: string
    payload: StatusPayload
    started_at: Date
    ended_at: Date | null
    /** Whether a script added it. */
    is_sent: Generated<boolean>
    message_count: Generated<number>
    warn_count: Generated<number>
    error_count: Generated<number>
    /** Groups with data in the component; empty means the group of the job. */
    group_ids: Generated<number[]>
  }
  status_messages: {
    job_id: string
    /** Position within the job, from 1. */
    number: number
    e_id: string
    status: JobStatus
    message: string
    sent_at: Date
    /** Group with data in the message; null means the groups of its step. */
    group_id: number | null
  }
  newest_jobs: { type: JobType; scope: string; name: string; job_id: string }
  user_names: { id: number; user_name: string }
}
