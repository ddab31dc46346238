import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { invalidInput } from '@headwater/contract'
import {
  abortedByClose,
  errorBody,
  validationErrorsOf,
  type Clock,
  type Log,
  type Principal,
  type Router,
  type FairQueue,
} from '@headwater/server-kit'
import {
  dataQuery,
  dataQueryParameters,
  streamDataBatch,
  type DataBatch,
  type DataBatchFrame,
} from '../contract/index.ts'
import { costOf } from './data-query-routes.ts'
import type { DataAnswer, DataQueryService } from './data-query-service.ts'

/** How many questions of one batch are worked on at once; the others wait, so that one page does not fill the engine. */
const questionsAtOnce = 4

/** Connects the route of batches of data queries. */
export function registerDataBatchRoutes(
  router: Router,
  { data, turns, log, clock }: { data: DataQueryService; turns: FairQueue; log: Log; clock: Clock },
): void {
  router.add(streamDataBatch, async ({ body }, { principal, reply }) => {
    const { signal } = abortedByClose(reply.raw)
    const output = new PassThrough({ highWaterMark: 256 * 1024 })
    void answerAll(body.questions, {
      ask: (question) => ask({ data, turns }, principal, question, signal),
      explain: (error) => errorBody(error, { method: 'POST', path: streamDataBatch.path }, { log, clock }),
      output,
      signal,
    })
    return reply.type('application/octet-stream').send(output)
  })
}

type Question = DataBatch['questions'][number]

async function ask(
  { data, turns }: { data: DataQueryService; turns: FairQueue },
  principal: Principal,
  question: Question,
  signal: AbortSignal,
): Promise<{ answer: DataAnswer; end: () => void }> {
  const parameters = dataQueryParameters.safeParse(question.query ?? {})
  const query = dataQuery.safeParse(question.body ?? {})
  if (parameters.success && query.success) {
    const { end } = await turns.take({ taker: principal.userId, cost: costOf(query.data), signal })
    try {
      return {
        answer: await data.answer(principal, query.data, { parameters: parameters.data, signal }),
        end,
      }
    } catch (error) {
      end()
      throw error
    }
  }
  throw invalidInput([parameters, query].flatMap(({ error }) => (error ? validationErrorsOf(error) : [])))
}

/** Writes the answers as they come, a few at once; never rejects. */
async function answerAll(
  questions: readonly Question[],
  given: {
    ask: (question: Question) => Promise<{ answer: DataAnswer; end: () => void }>
    explain: (error: unknown) => object
    output: PassThrough
    signal: AbortSignal
  },
): Promise<void> {
  const { output, signal } = given
  const waiting = questions.entries()

  /** A line, and the bytes it announces, so that nothing of another answer comes between them. */
  async function write(frame: DataBatchFrame, bytes?: Uint8Array): Promise<void> {
    signal.throwIfAborted()
    let isTaken = output.write(`${JSON.stringify(frame)}\n`)
    if (bytes !== undefined) isTaken = output.write(bytes)
    if (!isTaken) await once(output, 'drain', { signal })
  }

  async function answerOne(question: number, asked: Question): Promise<void> {
    let endTurn = () => {}
    try {
      const { answer, end } = await given.ask(asked)
      endTurn = end
      const { contentType, bytes, stream, nextPageToken, overflows, totalRows } = answer
      await write({
        question,
        contentType,
        ...(overflows === undefined ? {} : { overflows }),
        ...(totalRows === undefined ? {} : { totalRows }),
      })
      for await (const part of bytes === undefined ? stream : [bytes])
        if (part.length > 0) await write({ question, length: part.length }, part)
      await write({ question, done: true, ...(nextPageToken === undefined ? {} : { nextPageToken }) })
    } catch (error) {
      if (!signal.aborted) await write({ question, error: given.explain(error) as DataBatchFrame['error'] })
    } finally {
      endTurn()
    }
  }

  async function work(): Promise<void> {
    for (const [question, asked] of waiting) {
      if (signal.aborted) return
      await answerOne(question, asked)
    }
  }

  await Promise.allSettled(Array.from({ length: questionsAtOnce }, work))
  output.end()
}
