import type { Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { symbolErrors } from '../contract/index.ts'

/** Longest that one statement may look for symbols. */
const limitSeconds = 30

const queryCanceled = '57014'

/** `bitmap`: the planner is to use the indexes of the search, however many symbols it expects them to find. */
export type PlannerHint = 'free' | 'bitmap'

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
    return await db.transaction().execute(async (transaction) => {
      await sql`select set_config('statement_timeout', ${`${seconds}s`}, true)`.execute(transaction)
      if (planner === 'bitmap')
        await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true)`.execute(
          transaction,
        )
      return (await query.execute(transaction)).rows
    })
  } catch (error) {
    if ((error as { code?: string }).code === queryCanceled) throw symbolErrors.lookupTooSlow({ seconds })
    throw error
  }
}
