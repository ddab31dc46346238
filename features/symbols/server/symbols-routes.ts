import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { RouteContext, Router } from '@headwater/server-kit'
import {
  getData,
  listSymbolGroups,
  listSymbolKeys,
  listSymbolsInFile,
  listSymbolValues,
  listValueColumns,
  searchSymbols,
  streamData,
  streamSymbols,
  type DataQuery,
  type DataQueryParameters,
} from '../contract/index.ts'
import type { DataQueryService } from './data-query-service.ts'
import type { SymbolsService } from './symbols-service.ts'

/** Connects the routes of symbols with their rules. */
export function registerSymbolsRoutes(
  router: Router,
  { symbols, data }: { symbols: SymbolsService; data: DataQueryService },
): void {
  router.add(searchSymbols, ({ query }, { principal }) => symbols.search(principal, query))
  router.add(streamSymbols, async ({ query }, { principal, reply }) =>
    reply
      .type('application/json; charset=utf-8')
      .send(Readable.from(symbols.stream(principal, query), { objectMode: false })),
  )
  router.add(listSymbolValues, ({ query, body }, { principal }) =>
    symbols.values(principal, { ...query, ...body }),
  )
  router.add(listSymbolKeys, ({ body }, { principal }) => symbols.keys(principal, body))
  router.add(listValueColumns, ({ query }, { principal }) => symbols.columns(principal, query))
  router.add(listSymbolGroups, ({ query }, { principal }) => symbols.groups(principal, query))
  router.add(listSymbolsInFile, ({ params, query }, { principal }) =>
    symbols.ofFile(principal, { ...params, ...query }),
  )
  router.add(getData, ({ query, body }, context) => sendData(data, body, query, context))
  router.add(streamData, ({ query, body }, context) => sendData(data, body, query, context))
}

/** Writes an answer as it is read. A caller who goes away ends the work on it, and then there is nobody to be told of a fault. */
async function sendData(
  data: DataQueryService,
  query: DataQuery,
  parameters: DataQueryParameters,
  { principal, reply }: RouteContext<'signed-in'>,
): Promise<unknown> {
  const { signal } = abortedByClose(reply.raw)
  try {
    const { contentType, stream } = await data.answer(principal, query, { parameters, signal })
    return reply.type(contentType).send(Readable.from(untilAborted(stream, signal), { objectMode: false }))
  } catch (error) {
    if (!signal.aborted) throw error
    return reply.hijack()
  }
}

function abortedByClose(response: ServerResponse): AbortController {
  const controller = new AbortController()
  response.once('close', () => controller.abort(new Error('The caller has gone.')))
  return controller
}

async function* untilAborted(
  stream: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
