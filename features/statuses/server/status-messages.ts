import { sql, type Kysely, type Selectable, type Transaction } from 'kysely'
import type { Page } from '@headwater/contract'
import { formatUtc } from '@headwater/server-kit'
import type { JobStatus, StatusMessage } from '../contract/index.ts'
import type { StatusTables } from './status-tables.ts'
import { readsGroups, readsGroupsInJobs, type ReadableGroups, type Visibility } from './visibility.ts'

/**
 * Maximum number of stored messages of a step that are neither warnings nor errors. The same maximum applies to its warnings
 * and errors together.
 */
export const maxStepMessages = 1000
/** Maximum number of stored messages of a job. */
export const maxJobMessages = 10_000
/** Maximum number of steps that scripts can add to a job. */
export const maxSentSteps = 1000

/** Maximum number of jobs that the statuses of a user can start within 24 hours. */
export const maxSentJobs = 1000

/** Limits for a job that was requested by its id: newest messages, newest warnings, and characters of each. */
const messagesOfOneJob = { messages: 200, warnings: 100, characters: 10_000 }
/** Limits for each job in a list. */
const messagesInLists = { messages: 10, warnings: 10, characters: 1000 }

/** A stored message. */
export type MessageRow = Selectable<StatusTables['status_messages']>

/** Whether a message was stored, or which limit was reached. */
export type MessageOutcome = 'stored' | 'stepFull' | 'jobFull'

/** Filters of messages, which must all match, and the page. */
export interface MessageFilter {
  /** The job. */
  jobId: string
  /** Only this step. */
  eId?: string | undefined
  /** Only this status. */
  status?: JobStatus | undefined
  /** Number of messages to skip. */
  from: number
  /** Maximum number of messages. */
  size: number
}

/** SQL expression for the groups with data in a message. Expects the tables `message` and `step`. */
const groupsOfMessage = sql`case when message.group_id is null then step.group_ids else step.group_ids || message.group_id end`

/** Message counts, including messages that were not stored. */
interface MessageCounts {
  message_count: number
  warn_count: number
  error_count: number
}

const noMessages: MessageCounts = { message_count: 0, warn_count: 0, error_count: 0 }

/** Returns by how much a message increments the counters of warnings and errors. */
export function problemCounters(status: JobStatus) {
  return {
    ...(status === 'WARN' ? { warn_count: sql<number>`warn_count + 1` } : {}),
    ...(status === 'ERROR' ? { error_count: sql<number>`error_count + 1` } : {}),
  }
}

/**
 * Counts a message of a step and stores it if the limits allow. The caller has locked the job.
 * @param step counts of the step so far; undefined for a new one
 */
export async function addMessage(
  tx: Transaction<StatusTables>,
  jobId: string,
  step: MessageCounts = noMessages,
  {
    eId,
    status,
    message,
    groupId,
  }: { eId: string; status: JobStatus; message: string; groupId?: number | undefined },
  now: Date,
): Promise<MessageOutcome> {
  await tx
    .updateTable('job_components')
    .set({ message_count: sql<number>`message_count + 1`, ...problemCounters(status) })
    .where('job_id', '=', jobId)
    .where('e_id', '=', eId)
    .execute()
  const problems = step.warn_count + step.error_count
  const alike = ['WARN', 'ERROR'].includes(status) ? problems : step.message_count - problems
  if (alike >= maxStepMessages) return 'stepFull'
  const { numAffectedRows } = await sql`
    insert into status_messages (job_id, number, e_id, status, message, sent_at, group_id)
    select ${jobId}::uuid, coalesce(max(number), 0) + 1, ${eId}, ${status}, ${message}, ${now}::timestamptz, ${groupId ?? null}::bigint
    from status_messages where job_id = ${jobId}
    having coalesce(max(number), 0) < ${maxJobMessages}`.execute(tx)
  return numAffectedRows === 1n ? 'stored' : 'jobFull'
}

/** Returns the messages of jobs that the caller can read, by job and in order of arrival. */
export async function messagesOf(
  db: Kysely<StatusTables>,
  jobIds: readonly string[],
  visibleTo: Visibility,
  { isComplete }: { isComplete: boolean },
): Promise<Map<string, MessageRow[]>> {
  if (jobIds.length === 0) return new Map()
  const { messages, warnings, characters } = isComplete ? messagesOfOneJob : messagesInLists
  const readable = sql`select message.* from status_messages message join job_components step using (job_id, e_id)
    where message.job_id = requested.id and ${readsGroupsInJobs(groupsOfMessage, visibleTo)}`
  const { rows } = await sql<MessageRow>`
    select chosen.job_id, chosen.number, chosen.e_id, chosen.status, left(chosen.message, ${characters}) as message, chosen.sent_at
    from unnest(${jobIds}::uuid[]) as requested (id) join jobs on jobs.id = requested.id, lateral (
      (${readable} order by number desc limit ${messages})
      union
      (${readable} and message.status = 'WARN' order by number desc limit ${warnings})
    ) as chosen
    order by chosen.number`.execute(db)
  return Map.groupBy(rows, (row) => row.job_id)
}

/** Returns a page of the messages of a job that the caller can read, in order of arrival. */
export async function listMessages(
  db: Kysely<StatusTables>,
  { jobId, eId, status, from, size }: MessageFilter,
  readable: ReadableGroups,
): Promise<Page<StatusMessage & { eId: string }>> {
  let matching = db
    .selectFrom('status_messages as message')
    .innerJoin('job_components as step', (join) =>
      join.onRef('step.job_id', '=', 'message.job_id').onRef('step.e_id', '=', 'message.e_id'),
    )
    .where('message.job_id', '=', jobId)
    .where(readsGroups(groupsOfMessage, readable))
  if (eId !== undefined) matching = matching.where('message.e_id', '=', eId)
  if (status !== undefined) matching = matching.where('message.status', '=', status)
  const [rows, count] = await Promise.all([
    matching.selectAll('message').orderBy('message.number').limit(size).offset(from).execute(),
    matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  return {
    from,
    totalSize: count.total,
    items: rows.map((row) => ({ ...toMessage(row), eId: row.e_id })),
  }
}

/** Converts a message to its response format. */
export function toMessage({ sent_at, status, message }: MessageRow): StatusMessage {
  return { time: formatUtc(sent_at), status, message }
}
