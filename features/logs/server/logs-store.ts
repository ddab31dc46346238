import { sql, type RawBuilder } from 'kysely'
import type { Database } from '@headwater/server-kit'
import type { ReadableGroups } from '@headwater/statuses/server'
import { logLevels, type LogLevel } from '../contract/index.ts'
import { encodeChunk, type NewLine } from './chunk-body.ts'

interface LogTables {
  job_logs: { job_id: string; line_count: number; byte_count: number; is_limited: boolean }
  log_chunks: {
    job_id: string
    first_line: number
    line_count: number
    e_id: string
    component: string
    debug_count: number
    info_count: number
    warn_count: number
    error_count: number
    group_id: number | null
    body: Buffer
  }
}

/** A step that writes lines. */
export interface LogSource {
  /** Job of the step. */
  jobId: string
  /** Execution id of the step. */
  eId: string
  /** Name of the step in statuses. */
  component: string
  /**
   * Group with the data that the lines contain. Only users who can read this group can read the lines. Default: the group of
   * the job.
   */
  groupId?: number | undefined
}

/** Limits of the log of a job. */
export interface LogLimits {
  /** Maximum number of lines. */
  lines: number
  /** Maximum number of bytes of text. */
  bytes: number
}

/** Filters of chunks. A chunk must match all of them. */
export interface ChunkFilter {
  /** The job. */
  jobId: string
  /** Groups that the caller can read; lines about other groups are omitted. */
  readable: ReadableGroups
  /** Only lines with a higher number. */
  after: number
  /** Only steps with this name. */
  component?: string | undefined
  /** Only the step with this execution id. */
  eId?: string | undefined
  /** Only chunks that contain a line of these levels. */
  levels?: readonly LogLevel[] | undefined
}

/** Metadata of a chunk: consecutive lines of one step. */
export interface Chunk {
  /** Number of the first line within the job. */
  firstLine: number
  /** Number of lines. */
  lineCount: number
  /** Execution id of the step. */
  eId: string
  /** Name of the step. */
  component: string
  /** Number of lines by level. */
  counts: Record<LogLevel, number>
}

/** State of a job log. */
export interface LogState {
  /** Number of the last line; 0 for an empty log. */
  lastLine: number
  /** Whether the limit was reached. */
  isLimited: boolean
}

/** Stores log lines in compressed chunks. */
export interface LogsStore {
  /**
   * Adds lines of a step. If they exceed the limits, it adds the lines that fit and a last line that states the limit.
   * @returns `closed` if the log accepts no further lines because it reached its limit or the job does not exist
   */
  append(source: LogSource, lines: readonly NewLine[], limits: LogLimits): Promise<'open' | 'closed'>
  /** Returns the state of a log. */
  stateOf(jobId: string): Promise<LogState>
  /** Returns the chunks that can contain matching lines, in line order. */
  chunks(filter: ChunkFilter): Promise<Chunk[]>
  /** Returns the compressed lines of chunks, by first line number. */
  bodies(jobId: string, firstLines: readonly number[]): Promise<Map<number, Buffer>>
}

/** PostgreSQL error code for a row that refers to a job that does not exist. */
const foreignKeyViolation = '23503'

/** Creates the store. */
export function createLogsStore(database: Database): LogsStore {
  const db = database.tables<LogTables>()

  /** Adds a chunk if it fits. A single statement keeps the lock on the log as short as possible. */
  async function appendAll(
    source: LogSource,
    lines: readonly NewLine[],
    limits: LogLimits,
  ): Promise<boolean> {
    const bytes = bytesOf(lines)
    if (lines.length > limits.lines || bytes > limits.bytes) return false
    const { rows } = await sql`
      with log as (
        insert into job_logs as logs (job_id, line_count, byte_count)
        values (${source.jobId}, ${lines.length}, ${bytes})
        on conflict (job_id) do update
          set line_count = logs.line_count + excluded.line_count, byte_count = logs.byte_count + excluded.byte_count
          where not logs.is_limited and logs.line_count + excluded.line_count <= ${limits.lines}
            and logs.byte_count + excluded.byte_count <= ${limits.bytes}
        returning line_count - ${lines.length}::integer as lines_before
      )
      ${await chunkInsert(source, lines, sql`lines_before`)} from log returning first_line`.execute(db)
    return rows.length === 1
  }

  /** Adds the lines that fit and a note about the limit. */
  function appendLast(source: LogSource, lines: readonly NewLine[], limits: LogLimits): Promise<void> {
    return db.transaction().execute(async (tx) => {
      const { rows } = await sql<LogTables['job_logs']>`
        insert into job_logs (job_id) values (${source.jobId}) on conflict (job_id) do update set job_id = excluded.job_id
        returning *`.execute(tx)
      const log = rows[0]!
      if (log.is_limited) return
      let bytes = log.byte_count
      const firstOver = lines.findIndex(({ text }, index) => {
        bytes += Buffer.byteLength(text) + 1
        return log.line_count + index >= limits.lines || bytes > limits.bytes
      })
      const fitting = lines.slice(0, firstOver)
      const note = { level: 'WARN' as const, text: limitNote(limits), timeMs: lines[firstOver]!.timeMs }
      const added = [...fitting, note]
      await sql`${await chunkInsert(source, added, sql`${log.line_count}::integer`)}`.execute(tx)
      await tx
        .updateTable('job_logs')
        .set({
          line_count: log.line_count + added.length,
          byte_count: log.byte_count + bytesOf(added),
          is_limited: true,
        })
        .where('job_id', '=', source.jobId)
        .execute()
    })
  }

  return {
    async append(source, lines, limits) {
      try {
        if (await appendAll(source, lines, limits)) return 'open'
        await appendLast(source, lines, limits)
        return 'closed'
      } catch (error) {
        if ((error as { code?: string }).code === foreignKeyViolation) return 'closed'
        throw error
      }
    },
    async stateOf(jobId) {
      const row = await db.selectFrom('job_logs').selectAll().where('job_id', '=', jobId).executeTakeFirst()
      return { lastLine: row?.line_count ?? 0, isLimited: row?.is_limited ?? false }
    },
    async chunks({ jobId, readable, after, component, eId, levels }) {
      let query = db
        .selectFrom('log_chunks')
        .select(['first_line', 'line_count', 'e_id', 'component'])
        .select(['debug_count', 'info_count', 'warn_count', 'error_count'])
        .where('job_id', '=', jobId)
      if (after > 0) {
        // The chunk with the last known line can contain later lines.
        const known = sql`select max(first_line) from log_chunks where job_id = ${jobId} and first_line <= ${after}::bigint`
        query = query.where(sql<boolean>`first_line >= coalesce((${known}), 0)`)
      }
      if (readable !== 'all')
        query = query.where(sql<boolean>`(group_id is null or group_id = any(${readable}::bigint[]))`)
      if (component !== undefined) query = query.where('component', '=', component)
      if (eId !== undefined) query = query.where('e_id', '=', eId)
      const rows = await query.orderBy('first_line').execute()
      return rows
        .map((row): Chunk => ({
          firstLine: row.first_line,
          lineCount: row.line_count,
          eId: row.e_id,
          component: row.component,
          counts: {
            DEBUG: row.debug_count,
            INFO: row.info_count,
            WARN: row.warn_count,
            ERROR: row.error_count,
          },
        }))
        .filter(({ firstLine, lineCount }) => firstLine + lineCount - 1 > after)
        .filter(({ counts }) => levels === undefined || levels.some((level) => counts[level] > 0))
    },
    async bodies(jobId, firstLines) {
      const rows = await db
        .selectFrom('log_chunks')
        .select(['first_line', 'body'])
        .where('job_id', '=', jobId)
        .where('first_line', '=', sql<number>`any(${firstLines}::integer[])`)
        .execute()
      return new Map(rows.map((row) => [row.first_line, row.body]))
    },
  }
}

/** Returns the statement that inserts a chunk. `linesBefore` is the expression for the number of earlier lines. */
async function chunkInsert(source: LogSource, lines: readonly NewLine[], linesBefore: RawBuilder<unknown>) {
  const { DEBUG, INFO, WARN, ERROR } = countsOf(lines)
  return sql`
    insert into log_chunks (job_id, first_line, line_count, e_id, component, debug_count, info_count, warn_count, error_count, body, group_id)
    select ${source.jobId}::uuid, ${linesBefore} + 1, ${lines.length}::integer, ${source.eId}, ${source.component},
      ${DEBUG}::integer, ${INFO}::integer, ${WARN}::integer, ${ERROR}::integer, ${await encodeChunk(lines)}::bytea, ${source.groupId ?? null}::bigint`
}

function countsOf(lines: readonly NewLine[]): Record<LogLevel, number> {
  const counts = Object.fromEntries(logLevels.map((level) => [level, 0])) as Record<LogLevel, number>
  for (const { level } of lines) counts[level] += 1
  return counts
}

/** Counts one additional byte per line for the line break. */
function bytesOf(lines: readonly NewLine[]): number {
  return lines.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 1, 0)
}

function limitNote({ lines, bytes }: LogLimits): string {
  const size = Math.floor(bytes / 1_000_000).toLocaleString('en')
  return `The log of this run reached its limit of ${lines.toLocaleString('en')} lines or ${size} MB. Later lines are not stored.`
}
