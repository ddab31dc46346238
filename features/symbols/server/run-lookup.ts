import type { Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { symbolErrors } from '../contract/index.ts'

/** How long the lookups of a request may take together. */
export interface LookupTime {
  /** The limit, for the message. */
  seconds: number
  /** When it is over, on the clock of `performance`. */
  untilMs: number
}

/** Begins the time of the lookups of a request. */
export function startLookupTime(seconds = 30): LookupTime {
  return { seconds, untilMs: performance.now() + seconds * 1000 }
}

const queryCanceled = '57014'

/** `bitmap`: the planner is to use the indexes of the search, however many symbols it expects them to find. */
export type PlannerHint = 'free' | 'bitmap'

/** The settings of one transaction, in one message to the database. */
function beginning(limitMs: number, planner: PlannerHint): string {
  const settings = [`statement_timeout = ${limitMs}`]
  if (planner === 'bitmap') settings.push('enable_seqscan = off', 'enable_indexscan = off')
  return ['begin read only', ...settings.map((setting) => `set local ${setting}`)].join('; ')
}

/**
 * Runs a statement that looks symbols up. What it asks for is up to users, so it may not hold the database for ever.
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
