import { fileURLToPath } from 'node:url'
import type { Accounts } from '@headwater/accounts/server'
import type { Files } from '@headwater/files/server'
import type { AccessScope, Groups } from '@headwater/groups/server'
import type { Insights } from '@headwater/insights/server'
import type { Pipelines } from '@headwater/pipelines/server'
import type { Clock, Log, Router } from '@headwater/server-kit'
import type { Tasks } from '@headwater/tasks/server'
import type { Tiles } from '@headwater/tile-data/server'
import {
  exporterName,
  exporterTag,
  exporterTasks,
  insightExporter,
  insightIdInput,
} from '../contract/index.ts'
import { registerExportRoutes } from './export-routes.ts'
import { createHtmlTemplate, createInsightLink, createTileDownloader } from './export-tasks.ts'
import { createPdfReport } from './pdf-report/pdf-task.ts'
import { createTileReports } from './tile-report/tile-reports.ts'

/** Folder of the SQL migrations of this feature. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** Dependencies of the feature. */
export interface ReportsDependencies {
  /** Clock that dates reports. */
  clock: Clock
  /** Log of the server. */
  log: Log
  /** Reads the files of tiles. */
  files: Files
  /** Checks access to groups. */
  groups: Groups
  /** Registry to which the feature adds its kinds of tasks. */
  tasks: Pick<Tasks, 'addKind'>
  /** Pipelines, to which the feature adds the template of exporters, and among which it finds exporters. */
  pipelines: Pick<Pipelines, 'addBuiltIn' | 'countIn' | 'findByInput'>
  /** Users and their principals. */
  accounts: Pick<Accounts, 'findUserByName' | 'findPrincipal'>
  /** Data of tiles. */
  tiles: Pick<Tiles, 'data' | 'readerOf'>
  /** Stored insights. */
  insights: Pick<Insights, 'access' | 'insightFiles' | 'readModel'>
  /** URL of the server for users. Default: none; e-mails have no link. */
  publicUrl?: string | undefined
}

/** Interface for other features. */
export interface Reports {
  /** Adds the routes of the feature to a router. */
  registerRoutes(router: Router): void
  /** Returns the number of exporters within a scope. */
  countIn(scope: AccessScope): Promise<number>
}

/** Creates the feature and adds its kinds of tasks and its built-in pipeline. */
export function createReports(dependencies: ReportsDependencies): Reports {
  const { clock, log, files, groups, tasks, pipelines, accounts, tiles } = dependencies
  const { access: insightAccess, insightFiles, readModel } = dependencies.insights
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
  const linkTo = createInsightLink(dependencies.publicUrl)
  tasks.addKind(createHtmlTemplate({ insightFiles, clock, linkTo }))
  tasks.addKind(createPdfReport({ reports, insightAccess, files, clock, linkTo }))
  pipelines.addBuiltIn(insightExporter)
  return {
    registerRoutes: (router) =>
      registerExportRoutes(router, (principal, id) =>
        pipelines.findByInput(principal, {
          tag: exporterTag,
          input: { taskName: exporterTasks.download, name: insightIdInput, value: id },
        }),
      ),
    countIn: (scope) => pipelines.countIn(scope, { tag: exporterTag, namePattern: exporterName('*') }),
  }
}
