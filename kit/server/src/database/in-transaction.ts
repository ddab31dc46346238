import type { Database } from './database.ts'
import { executorOf, type Executor } from './executor.ts'

/** Runs `work` in one transaction of a database, and rolls back if it throws. */
export function inTransaction<T>(
  database: Pick<Database, 'tables'>,
  work: (executor: Executor) => Promise<T>,
): Promise<T> {
  return database
    .tables<Record<never, never>>()
    .transaction()
    .execute((tx) => work(executorOf(tx)))
}
