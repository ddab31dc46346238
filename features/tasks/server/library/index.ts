import type { SandboxAvailability } from '@headwater/sandbox'
import type { Clock, Egress } from '@headwater/server-kit'
import type { TaskKind } from '../task-kinds.ts'
import { createBranch } from './branch.ts'
import { createCheckFile } from './check-file.ts'
import { createConvertFile } from './convert-file.ts'
import { createHttpRequest } from './http-request.ts'
import { createQuerySeries, type SeriesQueries } from './query-series.ts'
import type { SourceFiles } from './remote-files/fetch-files.ts'
import { createFtpSource, createSftpSource } from './remote-files/source-kinds.ts'
import { createSqlQuery } from './sql-query.ts'
import { createStoreFile } from './store-file.ts'
import { createWebhook } from './webhook.ts'

export type { SourceFiles } from './remote-files/fetch-files.ts'
export type { SeriesQueries } from './query-series.ts'

/** Creates the built-in kinds of tasks that every installation has. */
export function createLibrary(deps: {
  files: SourceFiles
  symbols: SeriesQueries
  egress: Pick<Egress, 'connect' | 'pin' | 'request'>
  clock: Clock
  findSandbox: () => Promise<SandboxAvailability>
}): TaskKind[] {
  return [
    createBranch(),
    createCheckFile(deps),
    createConvertFile(deps),
    createFtpSource(deps),
    createHttpRequest(deps),
    createQuerySeries(deps),
    createSftpSource(deps),
    createSqlQuery(deps),
    ...createStoreFile(deps),
    createWebhook(deps),
  ]
}
