import { executorOf, type Database, type Executor } from '@headwater/server-kit'

interface ScheduleTables {
  data_prep_schedules: {
    data_prep_id: string
    cron: string
    time_zone: string
    active: boolean
    set_by: number
    set_at: Date
    next_at: Date | null
    last_at: Date | null
    last_job_id: string | null
  }
  users: { id: number; user_name: string }
}

/** The schedule of a data prep. */
export interface StoredSchedule {
  prepId: string
  cron: string
  timeZone: string
  active: boolean
  setBy: { id: number; userName: string }
  setAt: Date
  /** Undefined while it is paused. */
  nextAt: Date | undefined
  lastRun: { at: Date; jobId: string } | undefined
}

/** Schedules in PostgreSQL. */
export interface SchedulesStore {
  /** Runs `work` in one transaction; an error takes everything back. */
  transaction<T>(work: (executor: Executor) => Promise<T>): Promise<T>
  find(prepId: string): Promise<StoredSchedule | undefined>
  /** Sets the schedule of a data prep; false when there is no such data prep any more. Part of a transaction. */
  set(
    schedule: Omit<StoredSchedule, 'setBy' | 'lastRun'> & { setBy: number },
    executor: Executor,
  ): Promise<boolean>
  /** Notes that the run that was due at `dueAt` has started; false when the schedule has changed meanwhile. Part of a transaction. */
  advance(
    prepId: string,
    run: { dueAt: Date; jobId: string; nextAt: Date },
    executor: Executor,
  ): Promise<boolean>
  /** Takes the schedule away. Part of a transaction. */
  remove(prepId: string, executor: Executor): Promise<void>
}

/** Makes the store. */
export function createSchedulesStore(database: Database): SchedulesStore {
  const db = database.tables<ScheduleTables>()
  return {
    transaction: (work) => db.transaction().execute((tx) => work(executorOf(tx))),
    async find(prepId) {
      const row = await db
        .selectFrom('data_prep_schedules')
        .innerJoin('users', 'users.id', 'data_prep_schedules.set_by')
        .selectAll('data_prep_schedules')
        .select('users.user_name')
        .where('data_prep_id', '=', prepId)
        .executeTakeFirst()
      if (row === undefined) return undefined
      return {
        prepId,
        cron: row.cron,
        timeZone: row.time_zone,
        active: row.active,
        setBy: { id: row.set_by, userName: row.user_name },
        setAt: row.set_at,
        nextAt: row.next_at ?? undefined,
        lastRun:
          row.last_at === null || row.last_job_id === null
            ? undefined
            : { at: row.last_at, jobId: row.last_job_id },
      }
    },
    async set({ prepId, cron, timeZone, active, setBy, setAt, nextAt }, executor) {
      const { rows } = await executor.query(
        // Holds the data prep, which may be deleted in this moment.
        `with prep as (select id from data_preps where id = $1 for key share)
         insert into data_prep_schedules (data_prep_id, cron, time_zone, active, set_by, set_at, next_at)
         select prep.id, $2::text, $3::text, $4::boolean, $5::bigint, $6::timestamptz, $7::timestamptz from prep
         on conflict (data_prep_id) do update set cron = excluded.cron, time_zone = excluded.time_zone, active = excluded.active,
           set_by = excluded.set_by, set_at = excluded.set_at, next_at = excluded.next_at
         returning data_prep_id`,
        [prepId, cron, timeZone, active, setBy, setAt, nextAt ?? null],
      )
      return rows.length > 0
    },
    async advance(prepId, { dueAt, jobId, nextAt }, executor) {
      const { rows } = await executor.query(
        `update data_prep_schedules set last_at = next_at, last_job_id = $3, next_at = $4
         where data_prep_id = $1 and next_at = $2 returning data_prep_id`,
        [prepId, dueAt, jobId, nextAt],
      )
      return rows.length > 0
    },
    async remove(prepId, executor) {
      await executor.query('delete from data_prep_schedules where data_prep_id = $1', [prepId])
    },
  }
}
