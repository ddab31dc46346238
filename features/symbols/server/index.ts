import { fileURLToPath } from 'node:url'
import { seriesSerialKey, type Files } from '@headwater/files/server'
import type { GroupAccess, Groups } from '@headwater/groups/server'
import type { JobQueue } from '@headwater/jobs'
import {
  createFairQueue,
  tablesOn,
  type Clock,
  type Database,
  type Executor,
  type Log,
  type Principal,
  type Router,
  type Slot,
} from '@headwater/server-kit'
import type { SeriesEngine } from '@headwater/timeseries'
import type { DataQuery } from '../contract/index.ts'
import { registerDataAccessRoutes } from './data-access-routes.ts'
import { createDataAccessService } from './data-access-service.ts'
import { registerDataBatchRoutes } from './data-batch-routes.ts'
import { costOf, registerDataQueryRoutes } from './data-query-routes.ts'
import { createDataQueryService, type DataQueryService } from './data-query-service.ts'
import { createDataQueryStore } from './data-query-store.ts'
import { rememberLookups } from './remembered-lookup.ts'
import { createSymbolChanges, tellOfChanges } from './symbol-changes.ts'
import { registerFormulasRoutes } from './formulas-routes.ts'
import { createFormulasService } from './formulas-service.ts'
import { createFormulasStore } from './formulas-store.ts'
import { registerHolidayCalendarsRoutes } from './holiday-calendars-routes.ts'
import { createHolidayCalendarsService } from './holiday-calendars-service.ts'
import { createHolidayCalendarsStore } from './holiday-calendars-store.ts'
import { registerIndexShortcutsRoutes } from './index-shortcuts-routes.ts'
import { createIndexShortcutsService } from './index-shortcuts-service.ts'
import { registerIngestJobs } from './ingest-jobs.ts'
import { createIngestService } from './ingest-service.ts'
import { createIngestStore } from './ingest-store.ts'
import { createKeyLookup, type KeyLookup } from './key-lookup.ts'
import { createPageTokens } from './page-token.ts'
import { createSearchUpkeep } from './search-upkeep.ts'
import { createShippedCalendars } from './shipped-calendars.ts'
import { createSymbolsRemovalService } from './symbols-removal-service.ts'
import { createSymbolsRemovalStore } from './symbols-removal-store.ts'
import { registerSymbolsRoutes } from './symbols-routes.ts'
import { createSymbolsService, type SymbolsService } from './symbols-service.ts'
import { createSymbolsStore } from './symbols-store.ts'

export type { DataAnswer, DataQueryService } from './data-query-service.ts'
export type { KeyLookup, KeyMeaning } from './key-lookup.ts'

/** Folder of the SQL migrations of this room. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** The turn of a query whose caller reads slowly passes on after this time. */
const longestTurnMs = 30_000

/** What the symbols room is made of. */
export interface SymbolsDependencies {
  database: Database
  clock: Clock
  log: Log
  engine: SeriesEngine
  /** Whether no other server works on the same data, so that every change of symbols is made by this one. */
  isOnlyServer: boolean
  queue: JobQueue
  access: GroupAccess
  /** Secret of the installation; tokens of pages are signed with a key derived from it. */
  signingSecret: string
  /** The files that bring points, and those that requests for access to data become. */
  files: Pick<Files, 'openIngest' | 'reportIngest' | 'finishIngest' | 'onArrival' | 'create' | 'putContent'>
  createGroup: Groups['create']
  /** Somebody who may administer the installation. */
  findAdministrator: () => Promise<Principal | undefined>
  /** Queries that run at once, in all and of one user. */
  queryLimits: { atOnce: number; perTaker: number }
  /** Name of the environment; access to data can be requested only in some. */
  environment: string
}

/** What other rooms may ask of symbols. */
export interface Symbols {
  registerRoutes(router: Router): void
  /** Answers data queries on behalf of a user. */
  data: DataQueryService
  /** Waits until a query of a user may run. Those of all routes wait in one queue. */
  takeTurn(this: void, principal: Principal, query: DataQuery, signal: AbortSignal): Promise<Slot>
  /** Tells which symbols the keys of data queries mean. */
  keys: KeyLookup
  /** Lists what users choose series by. */
  lists: Pick<SymbolsService, 'fieldValues'>
  /** Ids of the groups that hold symbols. */
  groupIdsWithSymbols(): Promise<number[]>
  /** Number of the symbols of a group. */
  countIn(groupId: number): Promise<number>
  /**
   * Has the queue take away what deleted files brought: points, and symbols and columns that only they named. Part of the caller's
   * transaction when `executor` is given.
   */
  removeFiles(fileIds: readonly string[], executor?: Executor): Promise<void>
  /**
   * Takes the points of removed files out of the store of series, without waiting for the queue. Called after the transaction of
   * `removeFiles`.
   * @throws AppError `seriesUnavailable`; then the queue takes them away
   */
  hideFiles(fileIds: readonly string[]): Promise<void>
  /** Takes all points of a deleted group away, and what was noted for its files. Repeating it is safe. */
  removeGroup(groupId: number): Promise<void>
  /** Has the store of series brought in line with the ledger after a crash. Called once, at the start. */
  resume(): Promise<void>
}

/** Makes the symbols room. The handlers of its jobs are named to the queue, which is started by the caller. */
export function createSymbols(dependencies: SymbolsDependencies): Symbols {
  const { database, clock, log, engine, queue, access, signingSecret, files } = dependencies
  const { createGroup, findAdministrator, environment, isOnlyServer } = dependencies
  const changes = createSymbolChanges()
  const ingestStore = tellOfChanges(createIngestStore(database.pool), changes)
  const ingest = createIngestService({ store: ingestStore, engine, clock, log })
  const symbolsStore = createSymbolsStore(database)
  const symbols = createSymbolsService({ store: symbolsStore, access, engine })
  const calendars = createHolidayCalendarsService({
    store: createHolidayCalendarsStore(database),
    shipped: createShippedCalendars(),
    clock,
  })
  const readingStore = createDataQueryStore(database)
  const dataStore = isOnlyServer ? rememberLookups(readingStore, changes) : readingStore
  const formulasStore = createFormulasStore(database)
  const data = createDataQueryService({
    store: dataStore,
    // A group that is deleted takes its symbols along without a word, which only a formula of another group would notice.
    inputs: readingStore,
    formulas: formulasStore,
    access,
    engine,
    calendars,
    pageTokens: createPageTokens(signingSecret),
    clock,
  })
  const dataAccess = createDataAccessService({
    files,
    access,
    createGroup,
    findAdministrator,
    environment,
    clock,
  })
  const shortcuts = createIndexShortcutsService({ data, store: dataStore, access, clock })
  const removal = createSymbolsRemovalService({
    store: createSymbolsRemovalStore(),
    ledger: ingestStore,
    access,
    clearPoints: enqueueReconcile,
    clock,
    log,
  })
  const formulas = createFormulasService({
    store: formulasStore,
    data: readingStore,
    readingOn(executor) {
      const on = { tables: <Tables>() => tablesOn<Tables>(executor) }
      return { store: createFormulasStore(on), data: createDataQueryStore(on) }
    },
    symbols: symbolsStore,
    ledger: ingestStore,
    access,
    engine,
    clock,
    log,
  })
  registerIngestJobs(queue, {
    ingest,
    searchUpkeep: createSearchUpkeep({ pool: database.pool, queue, clock, log }),
    files,
  })

  async function enqueueReconcile(groupId: number, executor: Executor): Promise<void> {
    await queue.enqueue('reconcile-series', { groupId }, { serialKey: seriesSerialKey(groupId) }, executor)
  }

  // One queue for all routes that the engine works for: none is a way around the limits.
  const slots = createFairQueue({ ...dependencies.queryLimits, longestMs: longestTurnMs })

  return {
    registerRoutes(router) {
      registerSymbolsRoutes(router, { symbols, removal, turns: slots })
      registerDataQueryRoutes(router, { data, turns: slots, log })
      registerDataBatchRoutes(router, { data, turns: slots, log, clock })
      registerFormulasRoutes(router, { formulas, turns: slots })
      registerHolidayCalendarsRoutes(router, calendars)
      registerIndexShortcutsRoutes(router, { shortcuts, turns: slots, log })
      registerDataAccessRoutes(router, dataAccess)
    },
    data,
    takeTurn: (principal, query, signal) =>
      slots.take({ taker: principal.userId, cost: costOf(query), signal }),
    lists: symbols,
    keys: createKeyLookup({ store: symbolsStore, access }),
    groupIdsWithSymbols: symbols.groupIdsWithSymbols,
    countIn: symbols.countIn,
    async removeFiles(fileIds, executor = database.pool) {
      for (const { groupId } of await ingestStore.markRemoving(executor, fileIds))
        await enqueueReconcile(groupId, executor)
    },
    hideFiles: ingest.hideFiles,
    async removeGroup(groupId) {
      await ingest.removeGroup(groupId)
      // Its symbols went with it; what is remembered of them only takes room.
      changes.begin(groupId)()
    },
    async resume() {
      for (const groupId of await ingestStore.groupsInLedger())
        await queue.enqueue(
          'reconcile-series',
          { groupId },
          { serialKey: seriesSerialKey(groupId), uniqueKey: `reconcile-series:${groupId}` },
        )
    },
  }
}
