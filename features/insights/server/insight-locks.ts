import { sql } from 'kysely'
import { createWorkLimit, type Database } from '@headwater/server-kit'

/** What a lock is about: the name of an insight in a group, whether there is one or not. */
export interface LockedInsight {
  /** Id of the group. */
  groupId: number
  /** Name of the insight, without `.json`. */
  insightName: string
}

/** Lets changes of one insight happen one after the other, also when several servers share the database. */
export interface InsightLocks {
  /** Waits until nobody else works on these insights, then runs `work`. Must not be called inside of `work`. */
  whileLocked<T>(insights: readonly LockedInsight[], work: () => Promise<T>): Promise<T>
}

// Each lock occupies a connection of the pool while the work needs another one: some must stay free for it.
const maxConnections = 4

/** Locks kept by PostgreSQL; one that is lost with its connection or its server is free at once. */
export function createInsightLocks(database: Database): InsightLocks {
  const db = database.tables<Record<never, never>>()
  const limit = createWorkLimit(maxConnections)
  return {
    whileLocked(insights, work) {
      const keys = insights.map(({ groupId, insightName }) => `insight ${groupId} ${insightName}`)
      return limit(() =>
        db.transaction().execute(async (tx) => {
          // In the order of their numbers, so that two who want the same two insights never wait for each other.
          await sql`select pg_advisory_xact_lock(number) from (
            select distinct hashtextextended(key, 0) as number from unnest(${keys}::text[]) key order by 1
          ) numbers`.execute(tx)
          return work()
        }),
      )
    },
  }
}
