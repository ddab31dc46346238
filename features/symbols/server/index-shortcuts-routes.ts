import type { FastifyRequest } from 'fastify'
import type { Log, Router, FairQueue } from '@headwater/server-kit'
import { getCatalogue, getIndex } from '../contract/index.ts'
import { sendData, unknownSeries } from './data-query-routes.ts'
import type { IndexShortcutsService } from './index-shortcuts-service.ts'

/** Registers the shortcuts of the General Index client. */
export function registerIndexShortcutsRoutes(
  router: Router,
  { shortcuts, queryQueue, log }: { shortcuts: IndexShortcutsService; queryQueue: FairQueue; log: Log },
): void {
  const limits = { queryQueue, log, cost: unknownSeries }
  router.add(getIndex, ({ query }, context) =>
    sendData(context, limits, (signal) =>
      shortcuts.index(context.principal, query, { format: formatOf(context.request), signal }),
    ),
  )
  router.add(getCatalogue, ({ query }, context) =>
    sendData(context, limits, (signal) =>
      shortcuts.catalogue(context.principal, query, {
        format: formatOf(context.request),
        fields: [context.request.headers.fields ?? ''].flat().join(','),
        signal,
      }),
    ),
  )
}

function formatOf({ headers }: FastifyRequest): 'csv' | 'json' {
  return /application\/json/i.test(headers.accept ?? '') ? 'json' : 'csv'
}
