import { fileURLToPath } from 'node:url'
import type { Files } from '@headwater/files/server'
import type { AccessScope, GroupAccess } from '@headwater/groups/server'
import type { Items } from '@headwater/items/server'
import type { JobQueue } from '@headwater/jobs'
import type { Schedules } from '@headwater/schedules/server'
import type { Clock, Database, Executor, Principal, Router } from '@headwater/server-kit'
import type { Logs } from '@headwater/logs/server'
import type { Statuses } from '@headwater/statuses/server'
import type { Symbols } from '@headwater/symbols/server'
import { registerPrepsRoutes } from './preps-routes.ts'
import { createPrepsService, type PrepsService } from './preps-service.ts'
import { createPrepsStore, prepKind } from './preps-store.ts'
import { createRunsService, type RunsService } from './runs-service.ts'
import { createRunsStore } from './runs-store.ts'
import { createSchedulesService } from './schedules-service.ts'
import { stopRunsOfGroup } from './stop-run.ts'

export { linksOfPrep } from './prep-links.ts'
export { dataPrepLane } from './runs-service.ts'

/** Folder of the SQL migrations of this feature. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** Dependencies of the data preps feature. */
export interface PrepsDependencies {
  /** Database of runs. */
  database: Database
  /** Time. */
  clock: Clock
  /** Access to groups. */
  groups: GroupAccess
  /** Store of items. */
  items: Items
  /** Data queries and symbols. */
  symbols: Pick<Symbols, 'data' | 'keys'>
  /** Files that runs write. */
  files: Files
  /** Statuses of jobs. */
  statuses: Statuses
  /** Logs of jobs. */
  logs: Pick<Logs, 'open'>
  /** Schedules. */
  schedules: Pick<Schedules, 'register' | 'find' | 'set' | 'remove' | 'skipMissed'>
  /** Queue of jobs. */
  queue: JobQueue
  /** Returns the principal of an active user; runs have their access. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
}

/** The data preps feature for other features. */
export interface Preps extends Pick<PrepsService, 'get' | 'search' | 'create' | 'remove'> {
  /** Starts a run and returns its job, like the route. */
  start: RunsService['start']
  /** Returns the number of data preps in the groups of a scope. */
  countIn(scope: AccessScope): Promise<number>
  /** Stops the runs of a group. Runs in the transaction that deletes the group. */
  onGroupDeleted(groupId: number, executor: Executor): Promise<void>
  /**
   * Skips the scheduled runs that a group missed while it was in the trash. Runs in the transaction that restores the
   * group.
   */
  onGroupRestored(groupId: number, executor: Executor): Promise<void>
  /** Registers all routes of the feature. */
  registerRoutes(router: Router): void
}

/** Creates the data preps feature. Registers its job handlers with the queue, which the caller starts. */
export function createPreps(dependencies: PrepsDependencies): Preps {
  const { database, clock, groups, items, symbols, ...rest } = dependencies
  const store = createPrepsStore(items)
  const runsStore = createRunsStore(database, store)
  const preps = createPrepsService({
    store,
    groups,
    keys: symbols.keys,
    checkQuery: (query) => symbols.data.check(query),
    findRun: async (prepId, userId) => (await runsStore.findActive(prepId, userId))?.id,
    clock,
  })
  const runs = createRunsService({ ...rest, runs: runsStore, store, preps, symbols, clock })
  const prepSchedules = createSchedulesService({ ...rest, store, preps, runs })
  return {
    get: preps.get,
    search: (principal, query) => preps.search(principal, query),
    create: (principal, definition) => preps.create(principal, definition),
    remove: (principal, id) => preps.remove(principal, id),
    start: (...input) => runs.start(...input),
    async countIn(scope) {
      const page = { sortBy: 'name', sortOrder: 'asc', from: 0, size: 1 } as const
      return (await store.search({ scope, latest: true }, page)).total
    },
    onGroupDeleted: async (groupId, executor) =>
      stopRunsOfGroup(
        { runs: runsStore, statuses: rest.statuses },
        await store.listIds(groupId, executor),
        executor,
      ),
    onGroupRestored: async (groupId, executor) =>
      rest.schedules.skipMissed(prepKind, await store.listIds(groupId, executor), executor),
    registerRoutes: (router) => registerPrepsRoutes(router, { preps, runs, schedules: prepSchedules }),
  }
}
