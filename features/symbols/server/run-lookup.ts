import type { Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { symbolErrors } from '../contract/index.ts'

/** Time limit for all lookups of a request together. */
export interface LookupTime {
  /** Limit in seconds, for the message. */
  seconds: number
  /** Deadline on the clock of `performance`, in milliseconds. */
  untilMs: number
}

/** Starts the time limit for the lookups of a request. */
export function startLookupTime(seconds = 30): LookupTime {
  return { seconds, untilMs: performance.now() + seconds * 1000 }
}

const queryCanceled = '57014'

/** `bitmap` makes the planner use the search indexes regardless of its estimates. */
export type PlannerHint = 'free' | 'bitmap'

/** Returns the settings of a transaction as one message to the database. */
function beginning(limitMs: number, planner: PlannerHint): string {
  const settings = [`statement_timeout = ${limitMs}`]
  if (planner === 'bitmap') settings.push('enable_seqscan = off', 'enable_indexscan = off')
  return ['begin read only', ...settings.map((setting) => `set local ${setting}`)].join('; ')
}

/**
 * Runs a statement that looks up symbols, with a timeout, because users control its cost.
 * @throws AppError `lookupTooSlow` when it takes longer than `time` leaves
 */
export async function runLookup<Row>(
  db: Kysely<Record<string, never>>,
  query: RawBuilder<Row>,
  { seconds, untilMs }: LookupTime = startLookupTime(),
  planner: PlannerHint = 'free',
): Promise<Row[]> {
  try {
    return await db.connection().execute(async (connection) => {
      const leftMs = Math.ceil(untilMs - performance.now())
      if (leftMs <= 0) throw symbolErrors.lookupTooSlow({ seconds })
      await sql.raw(beginning(leftMs, planner)).execute(connection)
      try {
        return (await query.execute(connection)).rows
      } finally {
        await sql.raw('rollback').execute(connection)
      }
    })
  } catch (error) {
    if ((error as { code?: string }).code === queryCanceled) throw symbolErrors.lookupTooSlow({ seconds })
    throw error
  }
}
