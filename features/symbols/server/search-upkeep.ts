import type { JobQueue } from '@headwater/jobs'
import type { Clock, Log } from '@headwater/server-kit'
import type { Pool } from 'pg'

const upkeepJobKind = 'tidy-symbol-search'

/** Changes are collected so long; PostgreSQL takes up to ten seconds to count them. */
const delayMs = 11_000

/** So many changed symbols make the planner guess wrong how many a text finds. */
const changesThatMatter = 10_000

/**
 * Keeps the search of symbols quick after symbols came. New entries of the trigram index wait in a list that every search reads
 * to its end, and statistics are of what was there before; the vacuum of PostgreSQL mends both only after a minute, and the list
 * only when a fifth of the table is new.
 */
export interface SearchUpkeep {
  /** Told after a file was taken over. Never fails. */
  afterIngest(): Promise<void>
}

/** Makes the upkeep. Its job is named to the queue, which is started by the caller. */
export function createSearchUpkeep(dependencies: {
  pool: Pool
  queue: JobQueue
  clock: Clock
  log: Log
}): SearchUpkeep {
  const { pool, queue, clock, log } = dependencies
  let plannedMs = 0
  queue.handle(upkeepJobKind, { run: () => tidySearch(pool) })
  return {
    async afterIngest() {
      const nowMs = clock.now().getTime()
      if (nowMs < plannedMs) return
      const runAfterMs = nowMs + delayMs
      try {
        await queue.enqueue(upkeepJobKind, {}, { runAfter: new Date(runAfterMs), uniqueKey: upkeepJobKind })
        plannedMs = runAfterMs
      } catch (error) {
        log.error({ error }, 'the search of symbols is tidied only after the next upload')
      }
    },
  }
}

async function tidySearch(pool: Pool): Promise<void> {
  await pool.query(`select gin_clean_pending_list('symbols_search')`)
  const { rows } = await pool.query<{ changes: string }>(
    `select n_mod_since_analyze as changes from pg_stat_user_tables where relid = 'symbols'::regclass`,
  )
  if (Number(rows[0]!.changes) >= changesThatMatter) await pool.query('analyze symbols')
}
