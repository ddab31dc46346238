import type { Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { symbolErrors } from '../contract/index.ts'

/** Longest that one statement may look for symbols. */
const limitSeconds = 30

const queryCanceled = '57014'

/** `bitmap`: the planner is to use the indexes of the search, however many symbols it expects them to find. */
export type PlannerHint = 'free' | 'bitmap'

/** The settings of one transaction, in one message to the database. */
function beginning(seconds: number, planner: PlannerHint): string {
  const settings = [`statement_timeout = '${Math.ceil(seconds)}s'`]
  if (planner === 'bitmap') settings.push('enable_seqscan = off', 'enable_indexscan = off')
  return ['begin read only', ...settings.map((setting) => `set local ${setting}`)].join('; ')
}

/**
 * Runs a statement that looks symbols up. What it asks for is up to users, so it may not hold the database for ever.
 * @throws AppError `lookupTooSlow` when it takes longer than `seconds`
 */
export async function runLookup<Row>(
  db: Kysely<Record<string, never>>,
  query: RawBuilder<Row>,
  seconds = limitSeconds,
  planner: PlannerHint = 'free',
): Promise<Row[]> {
  try {
    return await db.connection().execute(async (connection) => {
      await sql.raw(beginning(seconds, planner)).execute(connection)
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
