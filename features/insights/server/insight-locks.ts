import { sql } from 'kysely'
import { createWorkLimit, type Database } from '@headwater/server-kit'

/** Key of a lock: a group and an insight name. The insight does not need to exist. */
export interface LockedInsight {
  /** Id of the group. */
  groupId: number
  /** Name of the insight, without `.json`. */
  insightName: string
}

/** Serialises changes of the same insight, across all servers of the database. */
export interface InsightLocks {
  /**
   * Waits for the locks of these insights, then runs `work`. Must not be called within `work`, because that can
   * deadlock.
   */
  whileLocked<T>(insights: readonly LockedInsight[], work: () => Promise<T>): Promise<T>
}

// Each lock occupies a pool connection while the work needs another one, so some connections must stay free.
const maxConnections = 4

/** Creates locks in PostgreSQL. A lock is released when its connection or server fails. */
export function createInsightLocks(database: Database): InsightLocks {
  const db = database.tables<Record<never, never>>()
  const limit = createWorkLimit(maxConnections)
  return {
    whileLocked(insights, work) {
      const keys = insights.map(({ groupId, insightName }) => `insight ${groupId} ${insightName}`)
      return limit(() =>
        db.transaction().execute(async (tx) => {
          // Locks are acquired in numeric order, so that two callers that need the same two insights never wait for
          // each other.
          await sql`select pg_advisory_xact_lock(number) from (
            select distinct hashtextextended(key, 0) as number from unnest(${keys}::text[]) key order by 1
          ) numbers`.execute(tx)
          return work()
        }),
      )
    },
  }
}
