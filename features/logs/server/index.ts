import { fileURLToPath } from 'node:url'
import { createFairQueue, type Clock, type Database, type Log, type Router } from '@headwater/server-kit'
import type { Statuses } from '@headwater/statuses/server'
import { logErrors } from '../contract/index.ts'
import { registerLogsRoutes } from './logs-routes.ts'
import { createLogsService, type LogsService } from './logs-service.ts'
import { createLogsStore, type LogLimits } from './logs-store.ts'

export type { LogWriter } from './log-writer.ts'
export type { LogSource } from './logs-store.ts'
export { writeMessage } from './write-message.ts'

/** Folder of the SQL migrations of this feature. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** The logs feature. */
export interface Logs extends Pick<LogsService, 'open' | 'read'> {
  /** Registers the routes of the feature. */
  registerRoutes(router: Router): void
}

/** Maximum number of concurrent searches. */
const maxConcurrentSearches = 4
const searchesPerUser = 2
const maxSearchMs = 30_000

/** Creates the logs feature. */
export function createLogs(dependencies: {
  database: Database
  clock: Clock
  log: Log
  statuses: Pick<Statuses, 'requireReadable'>
  limits: LogLimits
}): Logs {
  const { database, clock, log, statuses, limits } = dependencies
  const service = createLogsService({
    store: createLogsStore(database),
    statuses,
    limits,
    clock,
    searches: createFairQueue({
      concurrency: maxConcurrentSearches,
      perOwner: searchesPerUser,
      releaseAfterMs: maxSearchMs,
      tooManyOfOwner: { waiting: 20, error: logErrors.tooManySearches },
    }),
    warn: (message, error) => log.warn({ error }, message),
  })
  return {
    open: service.open,
    read: (principal, query, signal) => service.read(principal, query, signal),
    registerRoutes: (router) => registerLogsRoutes(router, service),
  }
}
