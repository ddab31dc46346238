import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Clock, Database, Log, Principal, Router } from '@headwater/server-kit'
import type { FavouriteObjects } from '@headwater/accounts/server'
import type { FileEvents, Files } from '@headwater/files/server'
import type { AccessScope, Groups } from '@headwater/groups/server'
import type { Items } from '@headwater/items/server'
import type { Tasks } from '@headwater/tasks/server'
import type { InsightContent } from '@headwater/tile-data/contract'
import type { Tiles } from '@headwater/tile-data/server'
import { insightTypes } from '../contract/index.ts'
import { createDefinitionCache, type DefinitionCache } from './definition-cache.ts'
import { createFavouriteInsights } from './favourite-insights.ts'
import { createInsightAccess, type InsightAccess } from './insight-access.ts'
import { createInsightFiles, type InsightFiles } from './insight-files.ts'
import { createInsightItems, type InsightItems } from './insight-items.ts'
import { linksOfFile } from './insight-links.ts'
import { createInsightLocks } from './insight-locks.ts'
import { createInsightsReadModel, type Audiences, type InsightsReadModel } from './insights-read-model.ts'
import { registerInsightsRoutes } from './insights-routes.ts'
import type { InsightStorage } from './insight-storage.ts'
import { createLogoService, type LogoService } from './logo-service.ts'
import { createTemplatesService } from './templates-service.ts'
import { createStoredTilesService } from './stored-tiles-service.ts'
import { createVersionsService } from './versions-service.ts'

export type { DefinitionCache } from './definition-cache.ts'
export { readableTypes, type InsightAccess, type InsightNames } from './insight-access.ts'
export { fileNameOf, type InsightFiles } from './insight-files.ts'
export { insightNameOf, type InsightItems } from './insight-items.ts'
export type { Audience, Audiences, InsightsReadModel, StoredInsight } from './insights-read-model.ts'
export type { Logo, LogoService } from './logo-service.ts'
export { sendLogo } from './send-logo.ts'

/** Folder of the SQL migrations of this feature. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** Size of the definition cache for tile data requests, in bytes of JSON. */
const cachedDefinitionBytes = 16 * 1024 * 1024

/** Dependencies of the feature. */
export interface InsightsDependencies {
  /** Database with the tables of this feature. */
  database: Database
  /** Clock that determines whether a public view has ended. */
  clock: Clock
  /** Log of the server. */
  log: Log
  /** Lake files, which store definitions, texts and logos. */
  files: Files
  /** Groups and the access of users to them. */
  groups: Groups
  /** Items, which record the versions of insights and templates. */
  items: Items
  /** Tasks, to find the task of a template. */
  tasks: Pick<Tasks, 'findRunnable'>
  /** Tiles, to read their data. */
  tiles: Pick<Tiles, 'open'>
  /** Returns who can see insights besides the members of their groups. The publishing feature provides it. */
  audiences: Audiences
  /** Returns the groups that are visible to visitors of a definition but that the user cannot share, sorted by name. */
  groupsNotAllowed: (principal: Principal, content: InsightContent) => Promise<string[]>
}

/** The API of the feature for other features. */
export interface Insights {
  /** Adds the routes of this feature. */
  registerRoutes(router: Router): void
  /** Records a new version of an insight or template file, in the transaction of the file. */
  onFileArrived: FileEvents['onFileArrived']
  /** Renames or moves the item of a file of an insight or template. */
  onFileMoved: FileEvents['onFileMoved']
  /** Removes the deleted version from the item of its file. */
  onFileDeleted: FileEvents['onFileDeleted']
  /** Counts the insights of a group. */
  countIn(scope: AccessScope): Promise<number>
  /** Finds favourite insights of users. */
  favourites: FavouriteObjects
  /** Reads insights with access checks. */
  access: InsightAccess
  /** Reads and writes the files of insights. */
  insightFiles: InsightFiles
  /** Prevents the deletion of an insight during a transaction, and lists the insights of a group. */
  items: Pick<InsightItems['insights'], 'hold' | 'listIds'>
  /** Finds files and groups by name, without access checks. */
  readModel: Pick<InsightsReadModel, 'findFile' | 'existingGroups'>
  /** Reads logos. */
  logos: Pick<LogoService, 'read'>
  /** Cache of recently read definitions. */
  definitions: DefinitionCache
}

/** Creates the feature. An insight is an item. Each of its versions is a version of its file. */
export function createInsights(dependencies: InsightsDependencies): Insights {
  const { database, clock, log, files, groups, tasks, tiles, audiences, groupsNotAllowed } = dependencies
  const readModel = createInsightsReadModel(database, audiences)
  const insightItems = createInsightItems(dependencies.items, (fileId) => linksOfFile(files, fileId))
  const insightFiles = createInsightFiles({ readModel, files })
  const insightAccess = createInsightAccess({ groups, insights: insightItems.insights, insightFiles })
  const locks = createInsightLocks(database)
  const storage: InsightStorage = {
    references: (...input) => dependencies.items.references(...input),
    readModel,
    insightFiles,
    insightAccess,
    locks,
    files,
    groups,
    groupsNotAllowed,
    clock,
    createId: randomUUID,
  }
  const logos = createLogoService({ insightAccess, insightFiles, locks, files })
  const definitions = createDefinitionCache(cachedDefinitionBytes)
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
  const versions = createVersionsService(storage)
  return {
    registerRoutes: (router) =>
      registerInsightsRoutes(router, { storage, versions, logos, templates, storedTiles, log, clock }),
    onFileArrived: (file, executor) => insightItems.onFileArrived(file, executor),
    onFileMoved: (from, to, executor) => insightItems.onFileMoved(from, to, executor),
    onFileDeleted: (file, executor) => insightItems.onFileDeleted(file, executor),
    async countIn(scope) {
      const page = { sortBy: 'name', sortOrder: 'asc', from: 0, size: 1 } as const
      const { total } = await readModel.search({ scope, types: insightTypes, ...page })
      return total
    },
    favourites: createFavouriteInsights({ groups, insights: insightItems.insights }),
    access: insightAccess,
    insightFiles,
    items: insightItems.insights,
    readModel,
    logos,
    definitions,
  }
}
