import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Accounts } from '@headwater/accounts/server'
import type { Clock, Database, Log, Router } from '@headwater/server-kit'
import type { FileEvents, Files } from '@headwater/files/server'
import type { AccessScope, Groups } from '@headwater/groups/server'
import type { Items } from '@headwater/items/server'
import type { Pipelines } from '@headwater/pipelines/server'
import type { Preps } from '@headwater/preps/server'
import type { Symbols } from '@headwater/symbols/server'
import type { Tasks } from '@headwater/tasks/server'
import type { Tiles } from '@headwater/tiles/server'
import {
  exporterName,
  exporterTag,
  exporterTasks,
  insightExporter,
  insightIdInput,
  insightTypes,
} from '../contract/index.ts'
import { createDefinitionCache } from './definition-cache.ts'
import { createHtmlTemplate, createTileDownloader } from './export-tasks.ts'
import { createInsightAccess } from './insight-access.ts'
import { createInsightFiles } from './insight-files.ts'
import { createInsightItems } from './insight-items.ts'
import { createInsightLocks } from './insight-locks.ts'
import { createInsightsReadModel } from './insights-read-model.ts'
import { registerInsightsRoutes } from './insights-routes.ts'
import { createInsightsService } from './insights-service.ts'
import { createLogoService } from './logo-service.ts'
import { registerPublicRoutes } from './public-routes.ts'
import { createPublicService } from './public-service.ts'
import { createPublicStore } from './public-store.ts'
import { createPublicTokens } from './public-tokens.ts'
import { createPublishingRights } from './publishing-rights.ts'
import { createSharingService } from './sharing-service.ts'
import { createSharingStore } from './sharing-store.ts'
import { createTemplatesService } from './templates-service.ts'
import { createStoredTilesService } from './stored-tiles-service.ts'
import { createTileReports } from './tile-report/tile-reports.ts'
import { createVersionsService } from './versions-service.ts'
import { createVisitorLimit } from './visitor-limit.ts'
import { createVisitorQueue } from './visitor-queue.ts'

/** Folder of the SQL migrations of this room. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** JSON of definitions that is cached for requests of tile data, in bytes. */
const cachedDefinitionBytes = 16 * 1024 * 1024

/** What the insights room is made of. */
export interface InsightsDependencies {
  database: Database
  clock: Clock
  log: Log
  files: Files
  groups: Groups
  items: Items
  lists: Symbols['lists']
  preps: Pick<Preps, 'get'>
  tasks: Pick<Tasks, 'addKind' | 'findRunnable'>
  pipelines: Pick<Pipelines, 'addBuiltIn' | 'countIn' | 'findByInput'>
  accounts: Pick<Accounts, 'findUserByName' | 'findPrincipal' | 'product'>
  tiles: Pick<Tiles, 'data' | 'readerOf' | 'open'>
  /** Secret of the installation; public links are signed with a key derived from it. */
  signingSecret: string
  /** Address under which users reach the server; default none, then mails have no link. */
  publicUrl?: string | undefined
}

/** What other rooms may ask of insights. */
export interface Insights {
  registerRoutes(router: Router): void
  /** Take part in the transactions that change files: an insight is an item, and its versions are those of a file. */
  onFileArrived: FileEvents['onFileArrived']
  onFileMoved: FileEvents['onFileMoved']
  onFileDeleted: FileEvents['onFileDeleted']
  /** How many insights lie in a group, and how many pipelines that send one by e-mail. */
  countIn(scope: AccessScope): Promise<{ insights: number; emailExports: number }>
  /** How many public insights show a group. */
  countPublicViews(groupName: string): Promise<number>
}

/** Makes the insights room. An insight is a file; its tables keep what is known of it besides: shares and public views. */
export function createInsights(dependencies: InsightsDependencies): Insights {
  const { database, clock, log, files, groups, lists, preps, tasks, pipelines } = dependencies
  const { accounts, signingSecret, tiles } = dependencies
  const readModel = createInsightsReadModel(database)
  const insightItems = createInsightItems(dependencies.items)

  const sharingStore = createSharingStore(database)
  const insightFiles = createInsightFiles({ readModel, files })
  const insightAccess = createInsightAccess({ groups, insights: insightItems.insights, insightFiles })
  const sharingEnabled = accounts.product.sharing_enabled === 'true'
  const locks = createInsightLocks(database)
  const publishing = createPublishingRights({ readModel, groups, preps })
  const insights = createInsightsService({
    readModel,
    insightFiles,
    insightAccess,
    locks,
    files,
    groups,
    publishing,
    clock,
    createId: randomUUID,
  })
  const logos = createLogoService({ insightAccess, insightFiles, locks, files })
  const sharing = createSharingService({
    store: sharingStore,
    insightAccess,
    insightFiles,
    insights: insightItems.insights,
    groups,
    findUser: (email) => accounts.findUserByName(email),
    sharingEnabled,
    async noteShared(principal, fid, shared) {
      await files.update(principal, fid, [{ name: 'insightShared', value: String(shared) }])
    },
    clock,
  })
  const definitions = createDefinitionCache(cachedDefinitionBytes)
  const publicViews = createPublicService({
    store: createPublicStore(database),
    sharingStore,
    insights: insightItems.insights,
    tokens: createPublicTokens(signingSecret),
    readModel,
    insightAccess,
    insightFiles,
    logos,
    files,
    groups,
    publishing,
    tileData: tiles.data,
    definitions,
    lists,
    preps,
    findPrincipal: (userId) => accounts.findPrincipal(userId),
    findUser: (userName) => accounts.findUserByName(userName),
    queue: createVisitorQueue(),
    sharingEnabled,
    clock,
  })
  const reports = createTileReports({
    insightAccess,
    insightFiles,
    readModel,
    groups,
    files,
    tileData: tiles.data,
    readerOf: tiles.readerOf,
    findPrincipal: (userId) => accounts.findPrincipal(userId),
    findUserId: async (userName) => (await accounts.findUserByName(userName))?.userId,
    clock,
    log,
  })
  tasks.addKind(createTileDownloader({ reports, insightAccess }))
  tasks.addKind(createHtmlTemplate({ insightFiles, clock, publicUrl: dependencies.publicUrl }))
  pipelines.addBuiltIn(insightExporter)
  const templates = createTemplatesService({
    readModel,
    insightFiles,
    locks,
    files,
    groups,
    tasks,
    createId: randomUUID,
  })
  const storedTiles = createStoredTilesService({
    insights: insightItems.insights,
    insightAccess,
    files,
    insightFiles,
    definitions,
    openTiles: tiles.open,
  })
  const versions = createVersionsService({ insightAccess, insightFiles, insights, files })
  return {
    registerRoutes(router) {
      registerInsightsRoutes(router, {
        insights,
        versions,
        logos,
        sharing,
        templates,
        storedTiles,
        findExporter: (principal, id) =>
          pipelines.findByInput(principal, {
            tag: exporterTag,
            input: { taskName: exporterTasks.download, name: insightIdInput, value: id },
          }),
        log,
        clock,
      })
      registerPublicRoutes(router, publicViews, {
        // A page with 500 tiles, each of which counts, that refreshes every 10 s stays below; a form is filled in once.
        requests: createVisitorLimit({ burst: 1000, perSecond: 50, clock }),
        forms: createVisitorLimit({ burst: 10, perSecond: 1 / 60, clock }),
        log,
        clock,
      })
    },
    onFileArrived: (file, executor) => insightItems.onFileArrived(file, executor),
    onFileMoved: (from, to, executor) => insightItems.onFileMoved(from, to, executor),
    onFileDeleted: (file, executor) => insightItems.onFileDeleted(file, executor),
    async countIn(scope) {
      const page = { sortBy: 'name', sortOrder: 'asc', from: 0, size: 1 } as const
      const { total } = await readModel.search({ scope, types: insightTypes, ...page })
      const exporters = { tag: exporterTag, namePattern: exporterName('*') }
      return { insights: total, emailExports: await pipelines.countIn(scope, exporters) }
    },
    countPublicViews: (groupName) => publicViews.countViews(groupName),
  }
}
