import { sql, type RawBuilder } from 'kysely'
import { containsPattern, type Database } from '@headwater/server-kit'
import { stoppedPattern, type JobStatus, type TriggerType } from '@headwater/statuses/contract'
import { readsGroupsInJobs, type Visibility } from '@headwater/statuses/server'

/** Filters of runs, joined by “and”. */
export interface RunFilter {
  /** The reader: runs of this user and of these groups match. */
  visibleTo: Visibility
  /** Text in name or group; `*` is a wildcard. */
  text?: string | undefined
  /** Runs of pipelines with this tag. */
  tag?: string | undefined
  /** Runs of this pipeline. */
  pipelineId?: string | undefined
  /** Runs with one of these statuses. */
  statuses?: readonly JobStatus[] | undefined
  /** Earliest start, included. */
  startedFrom?: Date | undefined
  /** Latest start, excluded. */
  startedBefore?: Date | undefined
}

/** A stored run in a list. */
export interface MonitoredRun {
  /** Id of its job. */
  id: string
  /** Name of the pipeline or task. */
  name: string
  /** Group of the pipeline. */
  group_name: string
  /** Name of the user whose access it has. */
  owner: string
  /** Id of this user. */
  owner_id: number
  /** Status. */
  status: JobStatus
  /** Latest message. */
  message: string
  /** Triggers. */
  types: TriggerType[]
  /** Date for which a backfill started it. */
  backfill_date: string | null
  /** Tags at the start. */
  tags: string[]
  /** Version of the pipeline. */
  version: number | null
  /** Id of the pipeline. */
  root_id: string | null
  /** Start. */
  started_at: Date
  /** End. */
  ended_at: Date | null
  /** Whether it failed and a later run of the same pipeline succeeded. */
  succeeded_since: boolean
}

/** The last run of a date. */
export interface DayOfRuns {
  /** Local date. */
  date: string
  /** Job of the last run. */
  id: string
  /** Status of the last run. */
  status: JobStatus
  /** Number of runs. */
  runs: number
  /** Number of failed runs. */
  failed: number
  /** Number of failed runs that a user stopped. */
  stopped: number
  /** Latest message of the last run. */
  message: string
}

/** Reads runs for the monitor. */
export type MonitorStore = ReturnType<typeof createMonitorStore>

/** Returns the columns of a run. The message can contain data of other groups; then only users with access to them read it. */
function columnsFor(visibleTo: Visibility) {
  return sql`id, seq, name, group_name, owner_id, status, ${messageFor(visibleTo)} as message, types, tags, version, root_id, started_at,
    ended_at, (ended_at is not null and status in ('WARN', 'ERROR') and not is_open_failure) as succeeded_since`
}

function messageFor(visibleTo: Visibility) {
  return sql`case when ${readsGroupsInJobs(sql`message_group_ids`, visibleTo, sql`group_id`)} then message else '' end`
}

function backfillDateOf(jobId: RawBuilder<unknown>) {
  return sql`(select run_date::text from pipeline_backfill_dates where job_id = ${jobId}) as backfill_date`
}

/** Creates the store. */
export function createMonitorStore(database: Database) {
  const db = database.tables<Record<never, never>>()
  return {
    /** Returns a page of the matching runs: open failures, then paused runs, then the others; or all of them newest first. */
    async list(
      filter: RunFilter,
      { from, size, failuresFirst }: { from: number; size: number; failuresFirst: boolean },
    ): Promise<MonitoredRun[]> {
      const where = conditionsOf(filter)
      const end = from + size
      const part = (view: string, rank: number, more = sql``) =>
        sql`select ${sql.lit(rank)} as rank, ${columnsFor(filter.visibleTo)} from ${sql.table(view)} where ${where} ${more} order by seq desc limit ${end}`
      // Without a matching status, a part would read all its runs in vain.
      const partFor = (statuses: readonly JobStatus[], view: string, rank: number, more = sql``) =>
        filter.statuses?.every((status) => !statuses.includes(status))
          ? part('pipeline_jobs', rank, sql`and false`)
          : part(view, rank, more)
      // Each part reads its index backwards, and only if the parts before it do not fill the page. A part with few matches would read all runs.
      const rows = failuresFirst
        ? sql`
          with failed as materialized (${partFor(['WARN', 'ERROR'], 'failed_pipeline_jobs', 0)}),
          paused as materialized (${partFor(
            ['PAUSED'],
            'paused_pipeline_jobs',
            1,
            sql`and (select count(*) from failed) < ${end}`,
          )}),
          others as (${part(
            'pipeline_jobs',
            2,
            sql`and not is_open_failure and status <> 'PAUSED'
            and (select count(*) from failed) + (select count(*) from paused) < ${end}`,
          )})
          select * from failed union all select * from paused union all select * from others`
        : part('pipeline_jobs', 0)
      const { rows: page } = await sql<MonitoredRun>`
        select page.*, user_names.user_name as owner, ${backfillDateOf(sql`page.id`)}
        from (select * from (${rows}) as matching order by rank, seq desc limit ${size} offset ${from}) as page
        join user_names on user_names.id = page.owner_id order by rank, seq desc`.execute(db)
      return page
    },

    /** Returns the number of matching runs, at most `max`. */
    async count(filter: RunFilter, max: number): Promise<number> {
      const { rows } = await sql<{ total: string | number }>`
        select count(*) as total from (select from pipeline_jobs where ${conditionsOf(filter)} limit ${max}) as matching`.execute(
        db,
      )
      return Number(rows[0]?.total ?? 0)
    },

    /** Returns a run that the caller sees. */
    async find(id: string, visibleTo: Visibility): Promise<MonitoredRun | undefined> {
      const { rows } = await sql<MonitoredRun>`
        select ${columnsFor(visibleTo)}, user_names.user_name as owner, ${backfillDateOf(sql`job.id`)} from (
          select * from pipeline_jobs where id = ${id}::uuid and ${conditionsOf({ visibleTo })}) as job
        join lateral (select user_name from user_names where user_names.id = job.owner_id) as user_names on true`.execute(
        db,
      )
      return rows[0]
    },

    /** Returns the last run of each date on which a pipeline ran. */
    async days(
      filter: RunFilter & { pipelineId: string },
      { from, to, timeZone }: { from: string; to: string; timeZone: string },
    ): Promise<DayOfRuns[]> {
      const { rows } = await sql<DayOfRuns>`
        with days as (
          select (started_at at time zone ${timeZone})::date as day, max(seq) as seq, count(*)::integer as runs,
            (count(*) filter (where ended_at is not null and status in ('WARN', 'ERROR')))::integer as failed,
            (count(*) filter (where ended_at is not null and status = 'ERROR'
              and message ~ ${stoppedPattern}))::integer as stopped
          from pipeline_jobs
          where ${conditionsOf(filter)} and started_at >= ${from}::date::timestamp at time zone ${timeZone}
            and started_at < (${to}::date + 1)::timestamp at time zone ${timeZone}
          group by 1)
        select to_char(day, 'YYYY-MM-DD') as date, job.id, job.status, ${messageFor(filter.visibleTo)} as message, runs, failed, stopped
        from days join pipeline_jobs job on job.seq = days.seq order by day`.execute(db)
      return rows
    },

    /** Returns the names of users by id. */
    async userNames(ids: readonly number[]): Promise<Map<number, string>> {
      if (ids.length === 0) return new Map()
      const { rows } = await sql<{ id: number; user_name: string }>`
        select id, user_name from user_names where id = any(${ids}::bigint[])`.execute(db)
      return new Map(rows.map(({ id, user_name }) => [Number(id), user_name]))
    },
  }
}

function conditionsOf(filter: RunFilter): RawBuilder<unknown> {
  const { visibleTo, text, tag, pipelineId, statuses, startedFrom, startedBefore } = filter
  const conditions = [sql`true`]
  if (visibleTo !== 'everything')
    conditions.push(sql`(owner_id = ${visibleTo.userId} or group_id = any(${visibleTo.groupIds}::bigint[]))`)
  if (text !== undefined)
    conditions.push(sql`lower(name || ' ' || group_name) like lower(${containsPattern(text)})`)
  // The index of tags has only rows with tags.
  if (tag !== undefined) conditions.push(sql`tags @> array[${tag}]::text[] and cardinality(tags) > 0`)
  if (pipelineId !== undefined) conditions.push(sql`root_id = ${pipelineId}`)
  if (statuses !== undefined) conditions.push(sql`status = any(${statuses}::text[])`)
  if (startedFrom !== undefined) conditions.push(sql`started_at >= ${startedFrom}`)
  if (startedBefore !== undefined) conditions.push(sql`started_at < ${startedBefore}`)
  return sql.join(conditions, sql` and `)
}
