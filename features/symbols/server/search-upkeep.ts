import type { JobQueue } from '@headwater/jobs'
import type { Clock, Log } from '@headwater/server-kit'
import type { Pool } from 'pg'

const upkeepJobKind = 'tidy-symbol-search'

/** Delay in milliseconds to collect changes; PostgreSQL takes up to ten seconds to count them. */
const delayMs = 11_000

/** Number of changed symbols above which the estimates of the planner become inaccurate. */
const changesThatMatter = 10_000

/**
 * Keeps the symbol search fast after ingests. After an ingest, new entries of the trigram index are in a pending list
 * that every search scans, and statistics are outdated. The autovacuum of PostgreSQL fixes both only after a minute,
 * and the list only when a fifth of the table is new.
 */
export interface SearchUpkeep {
  /** Called after each ingest. Never fails. */
  afterIngest(): Promise<void>
}

/** Creates the upkeep. Registers its job handler at the queue, which the caller starts. */
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
        log.error({ error }, 'the upkeep of the symbol search is delayed until the next upload')
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
