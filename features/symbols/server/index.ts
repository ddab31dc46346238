import { fileURLToPath } from 'node:url'
import { seriesSerialKey, type Files } from '@headwater/files/server'
import type { GroupAccess, Groups, LimitedGroup, TrashBin } from '@headwater/groups/server'
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
import { cacheLookups } from './cached-lookup.ts'
import { createSymbolChanges, reportChanges } from './symbol-changes.ts'
import { registerFormulasRoutes } from './formulas-routes.ts'
import { createFormulasService } from './formulas-service.ts'
import { createFormulasStore, type FormulasStore } from './formulas-store.ts'
import { registerHolidayCalendarsRoutes } from './holiday-calendars-routes.ts'
import { createHolidayCalendarsService, type HolidayCalendarsService } from './holiday-calendars-service.ts'
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
import { symbolDigest } from './symbol-digest.ts'
import { createSymbolsRemovalService } from './symbols-removal-service.ts'
import { createSymbolsRemovalStore } from './symbols-removal-store.ts'
import { registerSymbolsRoutes } from './symbols-routes.ts'
import { createSymbolsService, type SymbolsService } from './symbols-service.ts'
import { createSymbolsStore } from './symbols-store.ts'
import { createSymbolsTrash } from './symbols-trash.ts'
import { createTrashedSymbolsStore } from './trashed-symbols-store.ts'
import { createVisibleSymbols } from './visible-symbols.ts'

export type { DataResult, DataQueryService } from './data-query-service.ts'
export type { KeyLookup } from './key-lookup.ts'

/** Folder of the SQL migrations of this feature. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** Time after which a query with a slow reader releases its slot. */
const longestSlotMs = 30_000

/** Dependencies of the symbols feature. */
export interface SymbolsDependencies {
  /** Database of facts. */
  database: Database
  /** Time. */
  clock: Clock
  /** Log. */
  log: Log
  /** Series engine. */
  engine: SeriesEngine
  /** Whether this is the only server that uses these data, so that it sees every change of symbols. */
  isOnlyServer: boolean
  /** Queue of jobs. */
  queue: JobQueue
  /** Access to groups. */
  access: GroupAccess
  /** Secret of the installation; page tokens are signed with a derived key. */
  signingSecret: string
  /** Files to ingest, and files of data access requests. */
  files: Pick<
    Files,
    | 'openIngest'
    | 'reportIngest'
    | 'finishIngest'
    | 'setStreamingReader'
    | 'create'
    | 'putContent'
    | 'idsWithin'
  >
  /** Creates the group of data access requests. */
  createGroup: Groups['create']
  /** Returns the current permissions of a user; undefined if the account is not active. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  /** Returns an administrator of the installation. */
  findAdministrator: () => Promise<Principal | undefined>
  /** Maximum number of concurrent queries, in total and per user. */
  queryLimits: { concurrency: number; perOwner: number }
  /** Whether removed symbols can be restored; default true. */
  keepsDeleted?: boolean
  /** Name of the environment; only some accept data access requests. */
  environment: string
}

/** The symbols feature for other features. */
export interface Symbols {
  /** Registers all routes of the feature. */
  registerRoutes(router: Router): void
  /** Removed symbols. */
  trash: TrashBin
  /** Runs data queries on behalf of a user. */
  data: DataQueryService
  /** Waits until a query of a user can run. All routes share one queue. */
  acquireSlot(this: void, principal: Principal, query: DataQuery, signal: AbortSignal): Promise<Slot>
  /** Resolves the keys of data queries to symbols. */
  keys: KeyLookup
  /** Lists values by which users choose series. */
  lists: Pick<SymbolsService, 'fieldValues'>
  /**
   * Returns a page of the formulas that use a symbol, any symbol of a group, or any symbol in files; those outside the scope are only
   * counted.
   */
  formulasUsing(
    series: { groupId: number; keys?: Record<string, string> } | { fileIds: readonly string[] },
    page: Parameters<FormulasStore['findUsing']>[1],
  ): ReturnType<FormulasStore['findUsing']>
  /** Returns those of the symbols of a group that one of the files contains. */
  symbolsInFiles(
    fileIds: readonly string[],
    of: { groupId: number; symbols: readonly Record<string, string>[] },
  ): Promise<Record<string, string>[]>
  /**
   * Returns the ids of the groups that contain symbols. Groups with a range are included only if they have a symbol in
   * the range.
   */
  groupIdsWithSymbols(limited: readonly LimitedGroup[]): Promise<number[]>
  /** Returns the number of symbols in a group. */
  countIn(groupId: number): Promise<number>
  /**
   * Enqueues the removal of the data of deleted files: points, and symbols and columns that only they have. Runs in the
   * transaction of the caller when `executor` is given.
   */
  removeFiles(fileIds: readonly string[], executor?: Executor): Promise<void>
  /** Deletes the records of deleted files that can no longer be restored, in the transaction of the caller. */
  forgetFiles(fileIds: readonly string[], executor: Executor): Promise<void>
  /**
   * Removes the points of deleted files from the series store without waiting for the queue. Called after the transaction of
   * `removeFiles`.
   * @throws AppError `seriesUnavailable`; the queue then removes them
   */
  hideFiles(fileIds: readonly string[]): Promise<void>
  /**
   * Returns the non-working days of a holiday calendar in a range of years.
   * @throws AppError `noSuchHolidayCalendar`
   */
  findHolidays: HolidayCalendarsService['workingCalendar']
  /** Removes all points of a deleted group, and the notes for its files. Safe to repeat. */
  removeGroup(groupId: number): Promise<void>
  /** Enqueues the repair of the series store after a crash. Called once, at the start. */
  resume(): Promise<void>
}

/** Creates the symbols feature. Registers its job handlers at the queue, which the caller starts. */
export function createSymbols(dependencies: SymbolsDependencies): Symbols {
  const { database, clock, log, engine, queue, access, signingSecret, files } = dependencies
  const { createGroup, findPrincipal, findAdministrator, environment, isOnlyServer } = dependencies
  const changes = createSymbolChanges()
  const ingestStore = reportChanges(createIngestStore(database.pool), changes)
  const ingest = createIngestService({ store: ingestStore, engine, clock, log })
  const symbolsStore = createSymbolsStore(database)
  const readingStore = createDataQueryStore(database)
  const visible = createVisibleSymbols({ store: readingStore, engine, clock })
  const symbols = createSymbolsService({ store: symbolsStore, access, engine, visible })
  const calendars = createHolidayCalendarsService({
    store: createHolidayCalendarsStore(database),
    shipped: createShippedCalendars(),
    clock,
  })
  const dataStore = isOnlyServer ? cacheLookups(readingStore, changes) : readingStore
  const formulasStore = createFormulasStore(database)
  const data = createDataQueryService({
    store: dataStore,
    // The cache is not invalidated when a group is deleted, which would only affect formulas of other groups.
    inputs: readingStore,
    formulas: formulasStore,
    access,
    findPrincipal,
    files,
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
  const shortcuts = createIndexShortcutsService({ data, store: dataStore, access, visible, clock })
  const removal = createSymbolsRemovalService({
    store: createSymbolsRemovalStore(),
    ledger: ingestStore,
    access,
    clearPoints: enqueueReconcile,
    keepsDeleted: dependencies.keepsDeleted ?? true,
    clock,
    log,
  })
  const trash = createSymbolsTrash({
    store: createTrashedSymbolsStore(database),
    ledger: ingestStore,
    formulas: formulasStore,
    access,
    engine,
    clearPoints: enqueueReconcile,
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

  // All routes that use the engine share one queue, so that none circumvents the limits.
  const slots = createFairQueue({ ...dependencies.queryLimits, releaseAfterMs: longestSlotMs })

  return {
    registerRoutes(router) {
      registerSymbolsRoutes(router, { symbols, removal, queryQueue: slots })
      registerDataQueryRoutes(router, { data, queryQueue: slots, log })
      registerDataBatchRoutes(router, { data, queryQueue: slots, log, clock })
      registerFormulasRoutes(router, { formulas, queryQueue: slots })
      registerHolidayCalendarsRoutes(router, calendars)
      registerIndexShortcutsRoutes(router, { shortcuts, queryQueue: slots, log })
      registerDataAccessRoutes(router, dataAccess)
    },
    data,
    trash,
    acquireSlot: (principal, query, signal) =>
      slots.take({ owner: principal.userId, cost: costOf(query), signal }),
    lists: symbols,
    keys: createKeyLookup({ store: symbolsStore, access, visible }),
    formulasUsing(series, page) {
      if ('fileIds' in series) return formulasStore.findUsing(series, page)
      const { groupId, keys } = series
      return formulasStore.findUsing({ groupId, digest: keys && symbolDigest(keys).toString('hex') }, page)
    },
    symbolsInFiles: (fileIds, { groupId, symbols: named }) =>
      symbolsStore.inFiles(fileIds, { groupId, digests: named.map(symbolDigest) }),
    groupIdsWithSymbols: (limited) => symbols.groupIdsWithSymbols(limited),
    countIn: (groupId) => symbols.countIn(groupId),
    async removeFiles(fileIds, executor = database.pool) {
      for (const { groupId } of await ingestStore.markRemoving(executor, fileIds))
        await enqueueReconcile(groupId, executor)
    },
    forgetFiles: (fileIds, executor) => ingestStore.forgetRemovedFiles(executor, fileIds),
    findHolidays: (name, years) => calendars.workingCalendar(name, years),
    hideFiles: ingest.hideFiles,
    async removeGroup(groupId) {
      await ingest.removeGroup(groupId)
      // The symbols are deleted. Their remaining cache entries only use memory.
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
