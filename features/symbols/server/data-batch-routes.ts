import { invalidInput } from '@headwater/contract'
import {
  errorBody,
  sendFrames,
  validationErrorsOf,
  type Clock,
  type Log,
  type Principal,
  type Router,
  type FairQueue,
  type WriteFrame,
} from '@headwater/server-kit'
import {
  dataQuery,
  dataQueryParameters,
  streamDataBatch,
  type DataBatch,
  type DataBatchFrame,
} from '../contract/index.ts'
import { costOf } from './data-query-routes.ts'
import type { DataResult, DataQueryService } from './data-query-service.ts'

/** Maximum number of concurrent queries of one batch, so that a single page does not occupy the engine. */
const queriesAtOnce = 4

/** Registers the route for batches of data queries. */
export function registerDataBatchRoutes(
  router: Router,
  { data, queryQueue, log, clock }: { data: DataQueryService; queryQueue: FairQueue; log: Log; clock: Clock },
): void {
  router.add(streamDataBatch, async ({ body }, { principal, reply }) =>
    sendFrames<BatchedQuery, DataBatchFrame>(reply, body.queries, {
      concurrency: queriesAtOnce,
      respond: (batched, { index, write, signal }) =>
        streamResult(index, {
          run: () => run({ data, queryQueue }, principal, batched, signal),
          explain: (error) =>
            errorBody(error, { method: 'POST', path: streamDataBatch.path }, { log, clock }),
          write,
          signal,
        }),
    }),
  )
}

type BatchedQuery = DataBatch['queries'][number]

async function run(
  { data, queryQueue }: { data: DataQueryService; queryQueue: FairQueue },
  principal: Principal,
  batched: BatchedQuery,
  signal: AbortSignal,
): Promise<{ result: DataResult; end: () => void }> {
  const parameters = dataQueryParameters.safeParse(batched.query ?? {})
  const query = dataQuery.safeParse(batched.body ?? {})
  if (parameters.success && query.success) {
    const { end } = await queryQueue.take({ owner: principal.userId, cost: costOf(query.data), signal })
    try {
      return {
        result: await data.run(principal, query.data, {
          parameters: parameters.data,
          signal,
          withinRanges: true,
        }),
        end,
      }
    } catch (error) {
      end()
      throw error
    }
  }
  throw invalidInput([parameters, query].flatMap(({ error }) => (error ? validationErrorsOf(error) : [])))
}

/** Streams the result of one query. */
async function streamResult(
  position: number,
  given: {
    run: () => Promise<{ result: DataResult; end: () => void }>
    explain: (error: unknown) => object
    write: WriteFrame<DataBatchFrame>
    signal: AbortSignal
  },
): Promise<void> {
  const { write, signal } = given
  let endTurn = () => {}
  try {
    const { result, end } = await given.run()
    endTurn = end
    const { contentType, bytes, stream, nextPageToken, overflows, totalRows } = result
    await write({
      query: position,
      contentType,
      ...(overflows === undefined ? {} : { overflows }),
      ...(totalRows === undefined ? {} : { totalRows }),
    })
    for await (const part of bytes === undefined ? stream : [bytes])
      if (part.length > 0) await write({ query: position, length: part.length }, part)
    await write({ query: position, done: true, ...(nextPageToken === undefined ? {} : { nextPageToken }) })
  } catch (error) {
    if (!signal.aborted)
      await write({ query: position, error: given.explain(error) as DataBatchFrame['error'] })
  } finally {
    endTurn()
  }
}
