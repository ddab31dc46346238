import { once } from 'node:events'
import type { OutgoingHttpHeaders } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { isRefusal, type Log, type RouteContext, type Router, type FairQueue } from '@headwater/server-kit'
import {
  getData,
  streamData,
  totalRowsHeader,
  type DataQuery,
  type DataQueryParameters,
} from '../contract/index.ts'
import type { DataResult, DataQueryService } from './data-query-service.ts'
import { runQueued, type CallerContext } from './run-queued.ts'

/** Header with the token of the next page. */
const nextPageHeader = 'X-KH-NEXT-PAGE-TOKEN'
/** Header with the number of computed values that are empty because they are outside the range of doubles. */
const overflowsHeader = 'X-KH-OVERFLOWS'

/** Registers the routes for data queries. */
export function registerDataQueryRoutes(
  router: Router,
  { data, queryQueue, log }: { data: DataQueryService; queryQueue: FairQueue; log: Log },
): void {
  const respond = (
    { query: parameters, body }: { query: DataQueryParameters; body: DataQuery },
    context: RouteContext<'signed-in'>,
  ) => {
    const query = withAcceptedFormat(body, context.request.headers.accept)
    return sendData(context, { queryQueue, log, cost: costOf(query) }, (signal) =>
      data.run(context.principal, query, { parameters, signal, withinRanges: true }),
    )
  }
  router.add(getData, respond)
  router.add(streamData, respond)
}

/** Streams the result of a query, once the query queue gives the caller a slot. */
export async function sendData(
  context: CallerContext,
  { log, ...limits }: { queryQueue: FairQueue; cost: number; log: Log },
  run: (signal: AbortSignal) => Promise<DataResult>,
): Promise<unknown> {
  const { reply } = context
  return runQueued(context, limits, async (signal) => {
    const { contentType, stream, bytes, recycle, nextPageToken, overflows, totalRows } = await run(signal)
    if (nextPageToken !== undefined) reply.header(nextPageHeader, nextPageToken)
    if (overflows !== undefined) reply.header(overflowsHeader, String(overflows))
    if (totalRows !== undefined) reply.header(totalRowsHeader, String(totalRows))
    reply.type(contentType)
    if (bytes !== undefined) return reply.send(bytes)
    if (recycle !== undefined && reply.raw.socket instanceof Socket)
      return await sendRecycled(reply, { stream, recycle }, { signal, log })
    return reply.send(Readable.from(untilAborted(stream, signal), { objectMode: false }))
  })
}

/** Sends chunks in order and recycles each as soon as the system has written it. */
async function sendRecycled(
  reply: FastifyReply,
  { stream, recycle }: Required<Pick<DataResult, 'stream' | 'recycle'>>,
  { signal, log }: { signal: AbortSignal; log: Log },
): Promise<FastifyReply> {
  const chunks = untilAborted(stream, signal)
  // An error before the first byte still becomes an error response.
  const first = await chunks.next()
  const { raw } = reply.hijack()
  raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
  try {
    for (let next = first; !next.done; next = await chunks.next()) {
      const chunk = next.value
      if (!raw.write(chunk, () => recycle(chunk))) await once(raw, 'drain', { signal })
    }
    raw.end()
  } catch (error) {
    // A closed connection and a caller who has lost access need no log entry.
    if (!signal.aborted && !raw.destroyed && !isRefusal(error))
      log.error({ error }, 'a response failed while it was streamed')
    raw.destroy()
    await chunks.return(undefined)
  }
  return reply
}

/** Cost, in series, of a pattern or whole group; their real number is unknown beforehand. */
export const unknownSeries = 10_000

/** Estimates the cost of a query: the number of its series. */
export function costOf({ keys }: DataQuery): number {
  if (keys.length === 0) return unknownSeries
  const costs = keys.map(({ pattern, symbols }) =>
    pattern || Object.keys(symbols).length === 0 ? unknownSeries : 1,
  )
  return costs.reduce((sum, cost) => sum + cost, 0)
}

/** Selects Arrow for callers that accept it and set no formatType. */
function withAcceptedFormat(query: DataQuery, accept = ''): DataQuery {
  const acceptsArrow = accept.toLowerCase().includes('application/vnd.apache.arrow.stream')
  return acceptsArrow && query.formatType === undefined ? { ...query, formatType: 'ARROW' } : query
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
