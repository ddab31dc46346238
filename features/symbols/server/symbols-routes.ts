import { Readable } from 'node:stream'
import type { Router, FairQueue } from '@headwater/server-kit'
import {
  listSymbolBranches,
  listSymbolGroups,
  listSymbolKeys,
  listSymbolsInFile,
  listSymbolValues,
  listValueColumns,
  removeSymbols,
  searchSymbols,
  streamSymbols,
} from '../contract/index.ts'
import type { SymbolsRemovalService } from './symbols-removal-service.ts'
import type { SymbolsService } from './symbols-service.ts'
import { runQueued } from './run-queued.ts'

/** Registers the routes of symbols. */
export function registerSymbolsRoutes(
  router: Router,
  {
    symbols,
    removal,
    queryQueue,
  }: { symbols: SymbolsService; removal: SymbolsRemovalService; queryQueue: FairQueue },
): void {
  router.add(searchSymbols, ({ query }, context) => {
    const search = () => symbols.search(context.principal, query)
    // Only the point count uses the engine and therefore needs a slot.
    return query.pointCount ? runQueued(context, { queryQueue, cost: query.size }, search) : search()
  })
  router.add(streamSymbols, async ({ query }, { principal, reply }) =>
    reply
      .type('application/json; charset=utf-8')
      .send(Readable.from(symbols.stream(principal, query), { objectMode: false })),
  )
  router.add(listSymbolValues, ({ query, body }, { principal }) =>
    symbols.values(principal, { ...query, ...body }),
  )
  router.add(listSymbolKeys, ({ body }, { principal }) => symbols.keys(principal, body))
  router.add(listSymbolBranches, ({ body }, { principal }) => symbols.branches(principal, body))
  router.add(listValueColumns, ({ query }, { principal }) => symbols.columns(principal, query))
  router.add(listSymbolGroups, ({ query }, { principal }) => symbols.groups(principal, query))
  router.add(removeSymbols, ({ body }, { principal }) => removal.remove(principal, body))
  router.add(listSymbolsInFile, ({ params, query }, { principal }) =>
    symbols.ofFile(principal, { ...params, ...query }),
  )
}
