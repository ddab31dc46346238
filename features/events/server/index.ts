import { fileURLToPath } from 'node:url'
import type { Authenticate, Clock, Database, Log, Router } from '@headwater/server-kit'
import { streamEvents } from '../contract/index.ts'
import { createEventsStore } from './events-store.ts'
import { createEventStreams, type EventStreamsDependencies } from './event-streams.ts'

/** Folder of the SQL migrations of this feature. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** The events feature. */
export interface Events {
  /**
   * Registers the route of the feature.
   * @param authenticate checks the credentials of open streams again
   */
  registerRoutes(router: Router, authenticate: Authenticate): void
  /** Starts reading events. */
  start(): void
  /** Ends all streams. */
  close(): Promise<void>
}

/** Creates the events feature. */
export function createEvents(dependencies: {
  database: Database
  clock: Clock
  log: Log
  groups: EventStreamsDependencies['groups']
  findPrincipal: EventStreamsDependencies['findPrincipal']
}): Events {
  const { database, clock, log, groups, findPrincipal } = dependencies
  const streams = createEventStreams({
    store: createEventsStore(database),
    groups,
    findPrincipal,
    clock,
    warn: (message, error) => log.warn({ error }, message),
  })
  return {
    registerRoutes(router, authenticate) {
      router.add(streamEvents, async (_, { principal, request, reply }) =>
        reply
          .type('text/event-stream; charset=utf-8')
          .header('Cache-Control', 'no-store')
          .header('X-Accel-Buffering', 'no')
          .send(await streams.open(principal, request, authenticate)),
      )
    },
    start: streams.start,
    close: () => streams.close(),
  }
}
