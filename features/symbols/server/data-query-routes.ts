import { once } from 'node:events'
import type { OutgoingHttpHeaders } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Log, RouteContext, Router, FairQueue } from '@headwater/server-kit'
import {
  getData,
  streamData,
  totalRowsHeader,
  type DataQuery,
  type DataQueryParameters,
} from '../contract/index.ts'
import type { DataAnswer, DataQueryService } from './data-query-service.ts'
import { workInTurn, type CallerContext } from './work-in-turn.ts'

/** Header of the token that leads to the next page. */
const nextPageHeader = 'X-KH-NEXT-PAGE-TOKEN'
/** Header that says how many computed values are empty because a double cannot hold them. */
const overflowsHeader = 'X-KH-OVERFLOWS'

/** Connects the routes of data queries with their rules. */
export function registerDataQueryRoutes(
  router: Router,
  { data, turns, log }: { data: DataQueryService; turns: FairQueue; log: Log },
): void {
  const answer = (
    { query: parameters, body }: { query: DataQueryParameters; body: DataQuery },
    context: RouteContext<'signed-in'>,
  ) => {
    const query = withAcceptedFormat(body, context.request.headers.accept)
    return sendData(context, { turns, log, cost: costOf(query) }, (signal) =>
      data.answer(context.principal, query, { parameters, signal }),
    )
  }
  router.add(getData, answer)
  router.add(streamData, answer)
}

/** Writes the response of a query as it is read, within a turn of the caller. */
export async function sendData(
  context: CallerContext,
  { log, ...limits }: { turns: FairQueue; cost: number; log: Log },
  ask: (signal: AbortSignal) => Promise<DataAnswer>,
): Promise<unknown> {
  const { reply } = context
  return workInTurn(context, limits, async (signal) => {
    const { contentType, stream, bytes, recycle, nextPageToken, overflows, totalRows } = await ask(signal)
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

/** Sends chunks one after the other, each of which goes back as soon as the system has taken it. */
async function sendRecycled(
  reply: FastifyReply,
  { stream, recycle }: Required<Pick<DataAnswer, 'stream' | 'recycle'>>,
  { signal, log }: { signal: AbortSignal; log: Log },
): Promise<FastifyReply> {
  const chunks = untilAborted(stream, signal)
  // A fault before the first byte is still told in words.
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
    // Of a connection that has gone there is nothing to tell.
    if (!signal.aborted && !raw.destroyed) log.error({ error }, 'an answer broke off in the middle')
    raw.destroy()
    await chunks.return(undefined)
  }
  return reply
}

/** Series that a pattern or a whole group counts as, as how many it means is not known before. */
export const unknownSeries = 10_000

/** How much work a query is, as far as it tells itself: the series it names. */
export function costOf({ keys }: DataQuery): number {
  if (keys.length === 0) return unknownSeries
  const costs = keys.map(({ pattern, symbols }) =>
    pattern || Object.keys(symbols).length === 0 ? unknownSeries : 1,
  )
  return costs.reduce((sum, cost) => sum + cost, 0)
}

/** Callers may ask for Arrow by what they accept instead of by formatType. */
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
