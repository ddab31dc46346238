import { sql } from 'kysely'
import type { Recurrence } from '@headwater/cron'
import { executorOf, tablesOn, type Database, type Executor } from '@headwater/server-kit'

interface ScheduleTables {
  schedules: {
    /** Kind of the object, for example `data-prep`. */
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
    missed_runs: MissedRuns | null
  }
  user_names: { id: number; user_name: string }
}

/** Trigger with a cron expression. */
export interface CronTrigger {
  /** Cron expression with five fields. */
  cron: string
  /** IANA time zone of the expression. */
  timeZone: string
  /** Holiday calendar. The schedule does not run on its holidays and weekends. Default: none. */
  holidayCalendar?: string
}

/** Trigger with a rule: an interval, or times on certain days. */
export interface RuleTrigger {
  /** The rule, with its time zone. */
  rule: Recurrence
  /** Holiday calendar that defines business days. Default: only Saturdays and Sundays are non-working days. */
  holidayCalendar?: string
}

/** A source of recurring times. */
export type Trigger = CronTrigger | RuleTrigger

/**
 * Policy for missed occurrences: those while no server was running or while the previous run had not started. `once` runs the
 * first of them late, `skip` runs none, and `all` runs those of the last day in sequence.
 */
export type MissedRuns = 'once' | 'skip' | 'all'

/** The object that a schedule runs. */
export interface Target {
  /** Kind of the object, for example `data-prep`. */
  kind: string
  /** Id of the object, a UUID. */
  targetId: string
}

/** A schedule to set. */
export interface NewSchedule extends Target {
  /** At least one trigger. The schedule runs at the occurrences of each trigger. */
  triggers: readonly Trigger[]
  /** False while the schedule is paused. */
  active: boolean
  /** Id of the user who set the schedule. Its runs have the access of this user. */
  setBy: number
  /** Policy for missed occurrences. Default: the policy that the owner of the kind registers. */
  missedRuns?: MissedRuns | undefined
}

/** A schedule. */
export interface Schedule extends Omit<NewSchedule, 'setBy'> {
  /** The user who set the schedule. Its runs have the access of this user. */
  setBy: { id: number; userName: string }
  /** Time of the last change. */
  setAt: Date
  /** Time of the due run that has not started; undefined if there is none. */
  dueAt: Date | undefined
  /** Time of the next run, which can already be due; undefined while the schedule is paused. */
  nextAt: Date | undefined
  /** Time and job of the last started run. */
  lastRun: { at: Date; jobId: string } | undefined
}

/** A due schedule. */
export interface DueSchedule extends Target {
  /** Triggers of the schedule. */
  triggers: readonly Trigger[]
  /** The occurrence that is due. */
  nextAt: Date
  /** Policy for missed occurrences; undefined for the default of the kind. */
  missedRuns: MissedRuns | undefined
}

/** The new state of a due schedule. */
export interface MovedSchedule extends Target {
  /** The next occurrence; undefined if the triggers are invalid. */
  nextAt: Date | undefined
  /** Whether the past occurrence becomes the due run if there is none yet. */
  isDue: boolean
}

/** Stores schedules. Methods with an executor run in the transaction of that executor. */
export interface SchedulesStore {
  /** Runs `work` in one transaction; an error rolls it back. */
  transaction<T>(work: (executor: Executor) => Promise<T>): Promise<T>
  /** Returns the schedule of a target. */
  find(target: Target): Promise<Schedule | undefined>
  /** Creates or replaces a schedule; drops a due run that has not started. */
  set(schedule: NewSchedule & { setAt: Date; nextAt: Date | undefined }, executor: Executor): Promise<void>
  /** Deletes the schedule of a target. */
  remove(target: Target, executor: Executor): Promise<void>
  /** Returns the earliest next occurrence of all schedules of these kinds. */
  firstOccurrence(kinds: readonly string[]): Promise<Date | undefined>
  /** Locks due schedules, earliest first. Skips schedules that a different server has locked. */
  lockDue(kinds: readonly string[], until: Date, limit: number, executor: Executor): Promise<DueSchedule[]>
  /** Sets the next occurrences of locked schedules. */
  moveOn(schedules: readonly MovedSchedule[], executor: Executor): Promise<void>
  /** Records that the due run has started; returns false if it is no longer due. */
  recordStart(target: Target, run: { dueAt: Date; jobId: string }, executor: Executor): Promise<boolean>
  /** Returns active schedules without a next occurrence. */
  listWithoutOccurrence(kinds: readonly string[]): Promise<(Target & { triggers: readonly Trigger[] })[]>
  /** Sets the next occurrence of a schedule unless it has one. */
  setFirstOccurrence(target: Target, nextAt: Date, executor?: Executor): Promise<void>
  /** Removes the due runs and next occurrences of active schedules and returns these schedules. */
  dropDue(
    kind: string,
    targetIds: readonly string[],
    executor: Executor,
  ): Promise<(Target & { triggers: readonly Trigger[] })[]>
}

/** Creates the store. */
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
        missedRuns: row.missed_runs ?? undefined,
        dueAt: row.due_at ?? undefined,
        nextAt: row.due_at ?? row.next_at ?? undefined,
        lastRun:
          row.last_at === null || row.last_job_id === null
            ? undefined
            : { at: row.last_at, jobId: row.last_job_id },
      }
    },
    async set({ kind, targetId, triggers, active, setBy, missedRuns, setAt, nextAt }, executor) {
      const values = {
        triggers: JSON.stringify(triggers) as never,
        active,
        set_by: setBy,
        set_at: setAt,
        due_at: null,
        next_at: nextAt ?? null,
        missed_runs: missedRuns ?? null,
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
    async firstOccurrence(kinds) {
      const row = await db
        .selectFrom('schedules')
        .select('next_at')
        .where('next_at', 'is not', null)
        .where('kind', '=', anyOf(kinds))
        .where(isFree)
        .orderBy('next_at')
        .limit(1)
        .executeTakeFirst()
      return row?.next_at ?? undefined
    },
    async lockDue(kinds, until, limit, executor) {
      const rows = await tablesOn<ScheduleTables>(executor)
        .selectFrom('schedules')
        .select([
          'kind',
          'target_id as targetId',
          'triggers',
          'next_at as nextAt',
          'missed_runs as missedRuns',
        ])
        .where('next_at', '<=', until)
        .where('kind', '=', anyOf(kinds))
        .where(isFree)
        .orderBy('next_at')
        .limit(limit)
        .forUpdate()
        .skipLocked()
        .execute()
      return rows.map((row) => ({ ...row, nextAt: row.nextAt!, missedRuns: row.missedRuns ?? undefined }))
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
    listWithoutOccurrence(kinds) {
      return db
        .selectFrom('schedules')
        .select(['kind', 'target_id as targetId', 'triggers'])
        .where('active', '=', true)
        .where('next_at', 'is', null)
        .where('kind', '=', anyOf(kinds))
        .execute()
    },
    async dropDue(kind, targetIds, executor) {
      const { rows } = await executor.query(
        `update schedules set due_at = null, next_at = null where kind = $1 and target_id = any($2::uuid[]) and active
         returning kind, target_id as "targetId", triggers`,
        [kind, targetIds],
      )
      return rows as (Target & { triggers: readonly Trigger[] })[]
    },
    async setFirstOccurrence({ kind, targetId }, nextAt, executor) {
      await (executor === undefined ? db : tablesOn<ScheduleTables>(executor))
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

/** Whether the next occurrence can become due: with the policy `all`, the previous run must have started. */
const isFree = sql<boolean>`(missed_runs is distinct from 'all' or due_at is null)`

function anyOf(kinds: readonly string[]) {
  return sql<string>`any(${kinds}::text[])`
}
