import { fileURLToPath } from 'node:url'
import type { Accounts } from '@headwater/accounts/server'
import type { Files } from '@headwater/files/server'
import type { AccessScope, Groups } from '@headwater/groups/server'
import type { Insights } from '@headwater/insights/server'
import type { Pipelines } from '@headwater/pipelines/server'
import type { Clock, Log, Router } from '@headwater/server-kit'
import type { Tasks } from '@headwater/tasks/server'
import type { Tiles } from '@headwater/tiles/server'
import {
  exporterName,
  exporterTag,
  exporterTasks,
  insightExporter,
  insightIdInput,
} from '../contract/index.ts'
import { registerExportRoutes } from './export-routes.ts'
import { createHtmlTemplate, createTileDownloader } from './export-tasks.ts'
import { createTileReports } from './tile-report/tile-reports.ts'

/** Folder of the SQL migrations of this feature. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** What reports use of other features. */
export interface ReportsDependencies {
  clock: Clock
  log: Log
  files: Files
  groups: Groups
  tasks: Pick<Tasks, 'addKind'>
  pipelines: Pick<Pipelines, 'addBuiltIn' | 'countIn' | 'findByInput'>
  accounts: Pick<Accounts, 'findUserByName' | 'findPrincipal'>
  tiles: Pick<Tiles, 'data' | 'readerOf'>
  insights: Pick<Insights, 'access' | 'insightFiles' | 'readModel'>
  /** Address under which users reach the server; default none, then mails have no link. */
  publicUrl?: string | undefined
}

/** What other features use of reports. */
export interface Reports {
  registerRoutes(router: Router): void
  /** Counts the pipelines of a group that send an insight by e-mail. */
  countIn(scope: AccessScope): Promise<number>
}

/** Creates the feature. It adds tasks and a built-in pipeline; it owns no table. */
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
  tasks.addKind(createHtmlTemplate({ insightFiles, clock, publicUrl: dependencies.publicUrl }))
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
