import type { Database } from '@headwater/server-kit'

/** A change of a job. */
export interface JobEvent {
  /** Kind of change. */
  type: 'status' | 'log'
  /** The job. */
  jobId: string
  /** User who started it. */
  ownerId: number
  /** Users who can read this group can see the event; null if only the owner can. */
  groupId: number | null
}

/** The events since a cursor. */
export interface EventBatch {
  /** Cursor after these events. */
  cursor: string
  /** The changed jobs, once per kind of change; undefined if there are too many or the cursor belongs to a different database. */
  events: JobEvent[] | undefined
}

/** Maximum number of events per batch. If there are more, clients reload everything. */
const maxEvents = 2000

/** Reads events. */
export interface EventsStore {
  /** Returns the current cursor. */
  now(): Promise<string>
  /** Returns the events after a cursor. */
  since(cursor: string): Promise<EventBatch>
  /** Deletes events that are older than ten minutes. */
  purge(): Promise<void>
}

/** Creates the store. */
export function createEventsStore({ pool }: Database): EventsStore {
  const now = async () => {
    const { rows } = await pool.query<{ cursor: string }>('select pg_current_snapshot()::text as cursor')
    return rows[0]!.cursor
  }
  return {
    now,
    async since(cursor) {
      const { rows } = await pool.query<{
        cursor: string
        is_future: boolean
        type: JobEvent['type'] | null
        job_id: string
        owner_id: number
        group_id: number | null
      }>(
        `select pg_current_snapshot()::text as cursor, recent.*,
          pg_snapshot_xmax($1::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot()) as is_future
        from (select) as one left join (
          select type, job_id, owner_id, group_id from events
          where xid >= pg_snapshot_xmin($1::pg_snapshot) and not pg_visible_in_snapshot(xid, $1::pg_snapshot)
          group by type, job_id, owner_id, group_id limit ${maxEvents + 1}
        ) as recent on true`,
        [cursor],
      )
      const first = rows[0]!
      const events = rows.flatMap(({ type, job_id, owner_id, group_id }) =>
        type === null ? [] : [{ type, jobId: job_id, ownerId: owner_id, groupId: group_id }],
      )
      return {
        cursor: first.cursor,
        events: first.is_future || events.length > maxEvents ? undefined : events,
      }
    },
    async purge() {
      await pool.query(`delete from events where created_at < now() - interval '10 minutes'`)
    },
  }
}
