import { sql } from 'kysely'
import { executorOf, tablesOn, type Database, type Executor } from '@headwater/server-kit'

interface ScheduleTables {
  schedules: {
    kind: string
    target_id: string
    triggers: Trigger[]
    active: boolean
    set_by: number
    set_at: Date
    due_at: Date | null
    next_at: Date | null
    last_at: Date | null
    last_job_id: string | null
  }
  user_names: { id: number; user_name: string }
}

/** When something happens again and again. */
export interface Trigger {
  /** Cron expression of five parts. */
  cron: string
  /** IANA name of the zone whose clocks count. */
  timeZone: string
}

/** What a schedule belongs to: the kind names the feature and the table, the id the row. */
export interface Target {
  kind: string
  targetId: string
}

/** A schedule as it was set. */
export interface NewSchedule extends Target {
  /** At least one; the schedule runs at the moments of all of them. */
  triggers: readonly Trigger[]
  /** False while it is paused. */
  active: boolean
  /** Id of the user whose access its runs use. */
  setBy: number
}

/** A schedule. */
export interface Schedule extends Omit<NewSchedule, 'setBy'> {
  setBy: { id: number; userName: string }
  setAt: Date
  /** The run that is due and has not started. */
  dueAt: Date | undefined
  /** The next run, which may be due already; undefined while the schedule is paused. */
  nextAt: Date | undefined
  /** The run that started last. */
  lastRun: { at: Date; jobId: string } | undefined
}

/** A schedule whose moment has come. */
export interface DueSchedule extends Target {
  triggers: readonly Trigger[]
  nextAt: Date
}

/** What becomes of a schedule whose moment has come. */
export interface MovedSchedule extends Target {
  nextAt: Date | undefined
  /** Whether its moment becomes its due run, unless it has one. */
  isDue: boolean
}

/** Schedules in PostgreSQL. All methods with an executor are part of a transaction. */
export interface SchedulesStore {
  /** Runs `work` in one transaction; an error rolls it back. */
  transaction<T>(work: (executor: Executor) => Promise<T>): Promise<T>
  find(target: Target): Promise<Schedule | undefined>
  /** Sets a schedule in place of the one before; a run of that one that is due and has not started is dropped. */
  set(schedule: NewSchedule & { setAt: Date; nextAt: Date | undefined }, executor: Executor): Promise<void>
  remove(target: Target, executor: Executor): Promise<void>
  /** The first moment of all schedules of these kinds. */
  firstMoment(kinds: readonly string[]): Promise<Date | undefined>
  /** Locks schedules whose moment has come, the earliest first. Those that another server has locked are skipped. */
  lockDue(kinds: readonly string[], until: Date, limit: number, executor: Executor): Promise<DueSchedule[]>
  /** Sets the next moments of locked schedules. */
  moveOn(schedules: readonly MovedSchedule[], executor: Executor): Promise<void>
  /** Records that the due run has started; false when it is not due any more. */
  recordStart(target: Target, run: { dueAt: Date; jobId: string }, executor: Executor): Promise<boolean>
  /** Active schedules without a next run. */
  listWithoutMoment(kinds: readonly string[]): Promise<(Target & { triggers: readonly Trigger[] })[]>
  /** Sets the next run of one of them, unless it has one by now. */
  setFirstMoment(target: Target, nextAt: Date): Promise<void>
}

/** Makes the store. */
export function createSchedulesStore(database: Database): SchedulesStore {
  const db = database.tables<ScheduleTables>()
  return {
    transaction: (work) => db.transaction().execute((tx) => work(executorOf(tx))),
    async find({ kind, targetId }) {
      const row = await db
        .selectFrom('schedules')
        .innerJoin('user_names as users', 'users.id', 'schedules.set_by')
        .selectAll('schedules')
        .select('users.user_name')
        .where('kind', '=', kind)
        .where('target_id', '=', targetId)
        .executeTakeFirst()
      if (row === undefined) return undefined
      return {
        kind,
        targetId,
        triggers: row.triggers,
        active: row.active,
        setBy: { id: row.set_by, userName: row.user_name },
        setAt: row.set_at,
        dueAt: row.due_at ?? undefined,
        nextAt: row.due_at ?? row.next_at ?? undefined,
        lastRun:
          row.last_at === null || row.last_job_id === null
            ? undefined
            : { at: row.last_at, jobId: row.last_job_id },
      }
    },
    async set({ kind, targetId, triggers, active, setBy, setAt, nextAt }, executor) {
      const values = {
        triggers: JSON.stringify(triggers) as never,
        active,
        set_by: setBy,
        set_at: setAt,
        due_at: null,
        next_at: nextAt ?? null,
      }
      await tablesOn<ScheduleTables>(executor)
        .insertInto('schedules')
        .values({ kind, target_id: targetId, ...values, last_at: null, last_job_id: null })
        .onConflict((conflict) => conflict.columns(['kind', 'target_id']).doUpdateSet(values))
        .execute()
    },
    async remove({ kind, targetId }, executor) {
      await tablesOn<ScheduleTables>(executor)
        .deleteFrom('schedules')
        .where('kind', '=', kind)
        .where('target_id', '=', targetId)
        .execute()
    },
    async firstMoment(kinds) {
      const row = await db
        .selectFrom('schedules')
        .select('next_at')
        .where('next_at', 'is not', null)
        .where('kind', '=', anyOf(kinds))
        .orderBy('next_at')
        .limit(1)
        .executeTakeFirst()
      return row?.next_at ?? undefined
    },
    async lockDue(kinds, until, limit, executor) {
      const rows = await tablesOn<ScheduleTables>(executor)
        .selectFrom('schedules')
        .select(['kind', 'target_id as targetId', 'triggers', 'next_at as nextAt'])
        .where('next_at', '<=', until)
        .where('kind', '=', anyOf(kinds))
        .orderBy('next_at')
        .limit(limit)
        .forUpdate()
        .skipLocked()
        .execute()
      return rows.map((row) => ({ ...row, nextAt: row.nextAt! }))
    },
    async moveOn(schedules, executor) {
      await executor.query(
        `update schedules set next_at = moved.next_at,
           due_at = case when moved.is_due then coalesce(schedules.due_at, schedules.next_at) else schedules.due_at end
         from unnest($1::text[], $2::uuid[], $3::timestamptz[], $4::boolean[]) as moved (kind, target_id, next_at, is_due)
         where schedules.kind = moved.kind and schedules.target_id = moved.target_id`,
        [
          schedules.map(({ kind }) => kind),
          schedules.map(({ targetId }) => targetId),
          schedules.map(({ nextAt }) => nextAt ?? null),
          schedules.map(({ isDue }) => isDue),
        ],
      )
    },
    async recordStart({ kind, targetId }, { dueAt, jobId }, executor) {
      const row = await tablesOn<ScheduleTables>(executor)
        .updateTable('schedules')
        .set({ due_at: null, last_at: dueAt, last_job_id: jobId })
        .where('kind', '=', kind)
        .where('target_id', '=', targetId)
        .where('due_at', '=', dueAt)
        .returning('kind')
        .executeTakeFirst()
      return row !== undefined
    },
    listWithoutMoment(kinds) {
      return db
        .selectFrom('schedules')
        .select(['kind', 'target_id as targetId', 'triggers'])
        .where('active', '=', true)
        .where('next_at', 'is', null)
        .where('kind', '=', anyOf(kinds))
        .execute()
    },
    async setFirstMoment({ kind, targetId }, nextAt) {
      await db
        .updateTable('schedules')
        .set({ next_at: nextAt })
        .where('kind', '=', kind)
        .where('target_id', '=', targetId)
        .where('active', '=', true)
        .where('next_at', 'is', null)
        .execute()
    },
  }
}

function anyOf(kinds: readonly string[]) {
  return sql<string>`any(${kinds}::text[])`
}
