import { sql } from 'kysely'
import type { AccessScope } from '@headwater/groups/server'
import type { Trigger } from '@headwater/schedules/server'
import { nameConditions } from '@headwater/items/server'
import type { Database } from '@headwater/server-kit'
import { pipelineKind } from '../pipelines-store.ts'
import { triggerScheduleKind } from '../triggers/triggers-store.ts'

/** Kind of the schedules of data preps. */
export const prepScheduleKind = 'data-prep'

/** Filter of schedules. */
export interface ScheduleFilter {
  /** Scope that contains the groups of the pipelines and data preps. */
  scope: AccessScope
  /** Whether to include schedules of data preps. */
  withPreps: boolean
  /** Text in the name. */
  nameContains?: string | undefined
  /** Name with wildcards. */
  namePattern?: string | undefined
  /** Name of the group with wildcards. */
  groupPattern?: string | undefined
}

/** One trigger of a stored schedule. */
export interface ScheduleRow {
  /** Kind of the schedule. */
  kind: string
  /** Id of the pipeline or data prep. */
  id: string
  /** Number of the trigger within its pipeline or data prep, from 1. */
  number: number
  /** Name of the pipeline or data prep. */
  name: string
  /** Group of the pipeline or data prep. */
  groupName: string
  /** The trigger. */
  trigger: Trigger
  /** Number of triggers of the schedule. */
  triggerCount: number
  /** Whether the schedule starts runs. */
  active: boolean
  /** Next run of any trigger of the schedule. */
  nextAt: Date | null
  /** Scheduled time of the last run. */
  lastAt: Date | null
  /** Job id of the last run. */
  lastJobId: string | null
  /** Name of the owner. Runs have the access of this user. */
  owner: string
}

/** Reads the schedules of pipelines and data preps. */
export type ScheduleListStore = ReturnType<typeof createScheduleListStore>

/** Creates the store. */
export function createScheduleListStore(database: Database) {
  const db = database.tables<Record<never, never>>()
  return {
    /** Returns a page of matching schedules, one row per trigger, and their total number. */
    async list(
      filter: ScheduleFilter,
      { from, size }: { from: number; size: number },
    ): Promise<{ rows: ScheduleRow[]; total: number }> {
      const matching = matchingTo(filter)
      const [{ rows }, { rows: counts }] = await Promise.all([
        sql<ScheduleRow>`
          select schedule.kind, item.id, item.name, groups.name as "groupName", entry.trigger,
            (row_number() over (partition by item.id order by own.position nulls first, entry.position))::integer as number,
            jsonb_array_length(schedule.triggers) as "triggerCount", schedule.active, schedule.next_at as "nextAt",
            coalesce(schedule.last_at, own.last_at) as "lastAt",
            coalesce(schedule.last_job_id, own.last_job_id) as "lastJobId", users.user_name as owner
          ${matching} order by lower(item.name), item.id, number
          limit ${size} offset ${from}`.execute(db),
        sql<{ total: string | number }>`select count(*) as total ${matching}`.execute(db),
      ])
      return { rows, total: Number(counts[0]!.total) }
    },
  }
}

function matchingTo(filter: ScheduleFilter) {
  const { scope, withPreps } = filter
  const kinds = [pipelineKind, triggerScheduleKind, ...(withPreps ? [prepScheduleKind] : [])]
  const conditions = [sql`schedule.kind = any(${kinds}::text[])`]
  if (scope.groupIds !== 'all') conditions.push(sql`item.group_id = any(${scope.groupIds}::bigint[])`)
  conditions.push(...nameConditions(filter))
  return sql`from schedule_moments schedule
    left join pipeline_triggers own on schedule.kind = ${triggerScheduleKind} and own.id = schedule.target_id
    join item_names item on item.id = coalesce(own.pipeline_id, schedule.target_id)
    join group_names groups on groups.id = item.group_id
    join user_names users on users.id = schedule.set_by
    cross join lateral jsonb_array_elements(schedule.triggers) with ordinality as entry (trigger, position)
    where ${sql.join(conditions, sql` and `)}`
}
