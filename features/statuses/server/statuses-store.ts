import { sql, type Kysely, type Selectable, type Transaction } from 'kysely'
import { tablesOn, type Database, type Executor } from '@headwater/server-kit'
import type { Page } from '@headwater/contract'
import type { Job, JobType, StatusMessage, StatusPayload, JobStatus, TriggerType } from '../contract/index.ts'
import { combinedStatus } from '../contract/index.ts'
import {
  addMessage,
  listMessages,
  maxSentSteps,
  messagesOf,
  problemCounters,
  type MessageFilter,
  type MessageOutcome,
} from './status-messages.ts'
import { conditionsOf, type JobFilter } from './job-conditions.ts'
import { toJob, type ComponentRow } from './job-rows.ts'
import type { StatusTables } from './status-tables.ts'
import { readsGroupsInJobs, type ReadableGroups, type Visibility } from './visibility.ts'

/** A new job. */
export interface StartedJob {
  /** Id, a UUID in lower case. */
  id: string
  /** Kind of job. */
  type: JobType
  /** Name of the pipeline or data prep; for ETL, name of the group. */
  name: string
  /** Group that the job belongs to: users who can read it can see the job. If null, only the owner can. */
  groupId: number | null
  /** Name of the group; empty if there is none. */
  groupName: string
  /** Id of the user who started the job. */
  ownerId: number
  /** Initial status. */
  status: JobStatus
  /** Initial message; can be empty. */
  message: string
  /** The object that the job refers to. */
  payload: StatusPayload
  /** Triggers of the job. */
  types: TriggerType[]
  /** Tags of the pipeline. */
  tags: string[]
  /** Version of the pipeline or data prep. */
  version: number | null
  /** Id that all versions of the pipeline share. */
  rootId: string | null
  /** Whether the status of the job is the combined status of its components. */
  followsComponents: boolean
}

/** A new status of a component. Absent fields stay unchanged, or are empty for a new component. */
export interface ComponentChange {
  /** Id of the execution, unique within the job. */
  eId: string
  /** Id of the previous execution. */
  prevEId?: string | undefined
  /** Name of the component. */
  component?: string | undefined
  /** New status. */
  status: JobStatus
  /** New message. */
  message?: string | undefined
  /** Fields to merge into the payload. */
  payload?: StatusPayload | undefined
  /**
   * Group with data in the status. Users who cannot read this group cannot read the component, even if they can see the job. A
   * component with data of several groups requires access to all of them. Default: the group of the job.
   */
  groupId?: number | undefined
}

/** Stores jobs and their components. */
export interface StatusesStore {
  /**
   * Starts a job; returns false if its id is taken.
   * @param executor a transaction to join
   */
  start(job: StartedJob, now: Date, executor?: Executor): Promise<boolean>
  /**
   * Returns the owner of a job.
   * @param executor a transaction to join
   */
  find(id: string, executor?: Executor): Promise<{ ownerId: number } | undefined>
  /** Returns the newest job of an owner with this name that has not ended and follows its components. */
  findOpen(ownerId: number, name: string): Promise<string | undefined>
  /**
   * Creates or changes a component and updates its job. Returns false if the job does not exist.
   * @param executor a transaction to join
   */
  setComponent(jobId: string, change: ComponentChange, now: Date, executor?: Executor): Promise<boolean>
  /**
   * Adds a message from a script to a component and its job. The message also sets the status of a component that a script
   * added, and of every component of a job that follows its components.
   */
  send(
    jobId: string,
    change: Required<Pick<ComponentChange, 'eId' | 'component' | 'status' | 'message' | 'payload'>> &
      Pick<ComponentChange, 'groupId'>,
    now: Date,
  ): Promise<MessageOutcome | 'noJob' | 'tooManySteps'>
  /** Returns a page of the messages of a job that the caller can read, in order of arrival. */
  listMessages(
    filter: MessageFilter,
    readable: ReadableGroups,
  ): Promise<Page<StatusMessage & { eId: string }>>
  /** Returns the number of jobs that the statuses of a user have started since an instant, at most `max`. */
  countSent(ownerId: number, since: Date, max: number): Promise<number>
  /** Returns the group of a job if the caller can see the job. */
  findVisible(jobId: string, visibleTo: Visibility): Promise<{ groupId: number | null } | undefined>
  /** Sets the status of a job. */
  setStatus(
    jobId: string,
    change: { status: JobStatus; message: string },
    now: Date,
    executor?: Executor,
  ): Promise<void>
  /** Returns a page of matching jobs, newest first. */
  search(filter: JobFilter): Promise<{ jobs: Job[]; total: number }>
  /**
   * Deletes jobs that ended before an instant, with their components, except the newest job of each item. Returns the number of
   * deleted jobs.
   */
  purge(endedBefore: Date): Promise<number>
  /**
   * Returns the status and message of components, by `eId`.
   * @param executor a transaction to join
   */
  findComponents(
    keys: { jobId: string; eId: string }[],
    executor?: Executor,
  ): Promise<Map<string, { status: JobStatus; message: string }>>
}

/** Number of jobs per purge transaction, small enough that other writers do not wait long for its locks. */
const purgeBatchSize = 1000

const finalStatuses: readonly JobStatus[] = ['COMPLETED', 'INFO', 'WARN', 'ERROR', 'UNEXECUTED']

/** Creates the store. */
export function createStatusesStore(database: Database): StatusesStore {
  const db = database.tables<StatusTables>()
  return {
    start(job, now, executor) {
      const target = executor === undefined ? db : tablesOn<StatusTables>(executor)
      return target.transaction().execute(async (tx) => {
        const row = await tx
          .insertInto('jobs')
          .values({
            id: job.id,
            type: job.type,
            name: job.name,
            group_id: job.groupId,
            group_name: job.groupName,
            owner_id: job.ownerId,
            status: job.status,
            latest_status: job.status,
            latest_message: job.message,
            payload: JSON.stringify(job.payload),
            types: job.types,
            tags: job.tags,
            version: job.version,
            root_id: job.rootId,
            follows_components: job.followsComponents,
            started_at: now,
            // A run that could not start has also ended.
            ended_at: !job.followsComponents && finalStatuses.includes(job.status) ? now : null,
          } as never)
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst()
        if (row === undefined) return false
        await sql`insert into newest_jobs (type, scope, name, job_id)
          values (${job.type}, ${scopeOf(job)}, ${job.name}, ${job.id})
          on conflict (type, scope, name) do update set job_id = excluded.job_id`.execute(tx)
        return true
      })
    },
    async find(id, executor) {
      const target = executor === undefined ? db : tablesOn<StatusTables>(executor)
      const row = await target.selectFrom('jobs').select('owner_id').where('id', '=', id).executeTakeFirst()
      return row && { ownerId: row.owner_id }
    },
    async findOpen(ownerId, name) {
      const row = await db
        .selectFrom('jobs')
        .select('id')
        .where('owner_id', '=', ownerId)
        .where('name', '=', name)
        .where('ended_at', 'is', null)
        .where('follows_components', '=', true)
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.id
    },
    async countSent(ownerId, since, max) {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from (
          select from jobs where owner_id = ${ownerId} and type = 'PIPELINE' and follows_components and started_at > ${since}
          limit ${max}) as sent`.execute(db)
      return rows[0]!.count
    },
    setComponent(jobId, change, now, executor) {
      const target = executor === undefined ? db : tablesOn<StatusTables>(executor)
      return target.transaction().execute(async (tx) => {
        const job = await tx
          .selectFrom('jobs')
          .selectAll()
          .where('id', '=', jobId)
          .forUpdate()
          .executeTakeFirst()
        if (job === undefined) return false
        const component = await writeComponent(tx, jobId, change, now)
        await tx
          .updateTable('jobs')
          .set({
            latest_status: component.status,
            latest_message: component.message,
            latest_component: component.component,
            latest_group_ids: latestGroups(jobId, change),
            ...(job.follows_components ? await followComponents(tx, jobId, now) : {}),
          })
          .where('id', '=', jobId)
          .execute()
        return true
      })
    },
    send: (jobId, change, now) => db.transaction().execute((tx) => addSent(tx, jobId, change, now)),
    listMessages: (filter, readable) => listMessages(db, filter, readable),
    async findVisible(jobId, visibleTo) {
      const filter = { jobId, visibleTo, newestOnly: false, from: 0, size: 1 }
      const row = await db
        .selectFrom('jobs')
        .select('group_id')
        .where((eb) => eb.and(conditionsOf(filter)))
        .executeTakeFirst()
      return row && { groupId: row.group_id }
    },
    async setStatus(jobId, { status, message }, now, executor) {
      await (executor === undefined ? db : tablesOn<StatusTables>(executor))
        .updateTable('jobs')
        .set({
          status,
          latest_status: status,
          latest_message: message,
          latest_component: '',
          latest_group_ids: [],
          ended_at: finalStatuses.includes(status) ? now : null,
        })
        .where('id', '=', jobId)
        .execute()
    },
    async purge(endedBefore) {
      for (let purged = 0; ;) {
        // A locked job is being changed. The next purge checks it again.
        const { numAffectedRows = 0n } = await sql`delete from jobs where id in (
          select id from jobs where ended_at < ${endedBefore}
            and not exists (select from newest_jobs where newest_jobs.job_id = jobs.id)
          order by ended_at limit ${purgeBatchSize} for update skip locked
        )`.execute(db)
        purged += Number(numAffectedRows)
        if (numAffectedRows < purgeBatchSize) return purged
      }
    },
    async findComponents(keys, executor) {
      const target = executor === undefined ? db : tablesOn<StatusTables>(executor)
      const { rows } = await sql<{ e_id: string; status: JobStatus; message: string }>`
        select e_id, status, message from job_components
        where (job_id, e_id) in (
          select * from unnest(${keys.map((key) => key.jobId)}::uuid[], ${keys.map((key) => key.eId)}::text[])
        )`.execute(target)
      return new Map(rows.map((row) => [row.e_id, { status: row.status, message: row.message }]))
    },
    search: (filter) => searchJobs(db, filter),
  }
}

async function addSent(
  tx: Transaction<StatusTables>,
  jobId: string,
  change: Parameters<StatusesStore['send']>[1],
  now: Date,
): ReturnType<StatusesStore['send']> {
  const job = await tx
    .selectFrom('jobs')
    .select('follows_components')
    .where('id', '=', jobId)
    .forUpdate()
    .executeTakeFirst()
  if (job === undefined) return 'noJob'
  const known = await tx
    .selectFrom('job_components')
    .select(['component', 'is_sent', 'message_count', 'warn_count', 'error_count'])
    .where('job_id', '=', jobId)
    .where('e_id', '=', change.eId)
    .executeTakeFirst()
  if (known === undefined && (await hasMaxSentSteps(tx, jobId))) return 'tooManySteps'
  if (known === undefined || known.is_sent || job.follows_components)
    await writeComponent(tx, jobId, change, now, known === undefined)
  const outcome = await addMessage(tx, jobId, known, change, now)
  await tx
    .updateTable('jobs')
    .set({
      latest_status: change.status,
      latest_message: change.message,
      ...problemCounters(change.status),
      latest_component: known !== undefined && !job.follows_components ? known.component : change.component,
      latest_group_ids: latestGroups(jobId, change),
      ...(job.follows_components ? await followComponents(tx, jobId, now) : {}),
    })
    .where('id', '=', jobId)
    .execute()
  return outcome
}

function scopeOf(job: { groupId: number | null; ownerId: number }): string {
  return job.groupId === null ? `user ${job.ownerId}` : `group ${job.groupId}`
}

function writeComponent(
  tx: Transaction<StatusTables>,
  jobId: string,
  change: ComponentChange,
  now: Date,
  isSent = false,
): Promise<Selectable<StatusTables['job_components']>> {
  const ended = finalStatuses.includes(change.status) ? now : null
  return tx
    .insertInto('job_components')
    .values({
      job_id: jobId,
      e_id: change.eId,
      prev_e_id: change.prevEId ?? null,
      component: change.component ?? '',
      status: change.status,
      message: change.message ?? '',
      payload: JSON.stringify(change.payload ?? {}),
      started_at: now,
      ended_at: ended,
      is_sent: isSent,
      group_ids: change.groupId === undefined ? [] : [change.groupId],
    } as never)
    .onConflict((conflict) =>
      conflict.columns(['job_id', 'e_id']).doUpdateSet({
        status: change.status,
        ended_at: ended,
        group_ids: sql`case when excluded.group_ids <@ job_components.group_ids then job_components.group_ids
          else job_components.group_ids || excluded.group_ids end` as never,
        ...(change.component === undefined ? {} : { component: change.component }),
        ...(change.message === undefined ? {} : { message: change.message }),
        ...(change.payload === undefined
          ? {}
          : { payload: sql`job_components.payload || ${JSON.stringify(change.payload)}::jsonb` as never }),
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns the groups with data in the latest job status: the groups of its component and its own group. */
function latestGroups(jobId: string, { eId, groupId }: Pick<ComponentChange, 'eId' | 'groupId'>) {
  return sql<number[]>`(
    select group_ids || ${groupId === undefined ? [] : [groupId]}::bigint[] from job_components
    where job_id = ${jobId}::uuid and e_id = ${eId})`
}

/**
 * Derives the status of a job from its components. The first component counts as the step, the others as following steps. The
 * job ends when all of them have ended.
 */
async function followComponents(tx: Transaction<StatusTables>, jobId: string, now: Date) {
  const rows = await tx
    .selectFrom('job_components')
    .select('status')
    .where('job_id', '=', jobId)
    .orderBy('seq')
    .execute()
  const [first, ...rest] = rows.map((row) => row.status)
  if (first === undefined) return {}
  const combined = combinedStatus(first, rest)
  const hasEnded = rows.every((row) => finalStatuses.includes(row.status))
  return {
    status: hasEnded && combined === 'INFO' ? ('COMPLETED' as const) : combined,
    ended_at: hasEnded ? now : null,
  }
}

async function hasMaxSentSteps(tx: Transaction<StatusTables>, jobId: string): Promise<boolean> {
  const { count } = await tx
    .selectFrom('job_components')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('job_id', '=', jobId)
    .where('is_sent', '=', true)
    .executeTakeFirstOrThrow()
  return count >= maxSentSteps
}

async function searchJobs(
  db: Kysely<StatusTables>,
  filter: JobFilter,
): Promise<{ jobs: Job[]; total: number }> {
  const matching = db.selectFrom('jobs').where((eb) => eb.and(conditionsOf(filter)))
  const [rows, count] = await Promise.all([
    matching
      .innerJoin('user_names as users', 'users.id', 'jobs.owner_id')
      .selectAll('jobs')
      .select('users.user_name as owner')
      .select(readsGroupsInJobs(sql`jobs.latest_group_ids`, filter.visibleTo).as('reads_latest'))
      .orderBy('jobs.seq', 'desc')
      .limit(filter.size)
      .offset(filter.from)
      .execute(),
    matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  const ids = rows.map((row) => row.id)
  const components = await componentsOf(db, ids, filter.visibleTo)
  const messages = await messagesOf(db, ids, filter.visibleTo, { isComplete: filter.jobId !== undefined })
  const jobs = rows.map((row) => toJob(row, components.get(row.id) ?? [], messages.get(row.id) ?? []))
  return { jobs, total: Number(count.total) }
}

async function componentsOf(
  db: Kysely<StatusTables>,
  jobIds: string[],
  visibleTo: Visibility,
): Promise<Map<string, ComponentRow[]>> {
  if (jobIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('job_components')
    .innerJoin('jobs', 'jobs.id', 'job_components.job_id')
    .selectAll('job_components')
    .select(readsGroupsInJobs(sql`job_components.group_ids`, visibleTo).as('is_readable'))
    .where('job_components.job_id', '=', sql<string>`any(${jobIds}::uuid[])`)
    .orderBy('job_components.seq')
    .execute()
  return Map.groupBy(rows, (row) => row.job_id)
}
