import type { Clock, Egress } from '@headwater/server-kit'
import type { TaskKind } from '../task-kinds.ts'
import { createBranch } from './branch.ts'
import { createCheckFile } from './check-file.ts'
import { createConvertFile } from './convert-file.ts'
import { createHttpRequest } from './http-request.ts'
import type { LibraryFiles } from './kind-parts.ts'
import { createQuerySeries, type SeriesQueries } from './query-series.ts'
import { createStoreFile } from './store-file.ts'
import { createWebhook } from './webhook.ts'

export type { LibraryFiles } from './kind-parts.ts'
export type { SeriesQueries } from './query-series.ts'

/** Creates the built-in kinds of tasks that every installation has. */
export function createLibrary(deps: {
  files: LibraryFiles
  symbols: SeriesQueries
  egress: Pick<Egress, 'request'>
  clock: Clock
}): TaskKind[] {
  return [
    createBranch(),
    createCheckFile(deps),
    createConvertFile(deps),
    createHttpRequest(deps),
    createQuerySeries(deps),
    ...createStoreFile(deps),
    createWebhook(deps),
  ]
}
