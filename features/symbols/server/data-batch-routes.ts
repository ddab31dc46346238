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
import type { DataAnswer, DataQueryService } from './data-query-service.ts'

/** How many questions of one batch are worked on at once; the others wait, so that one page does not fill the engine. */
const questionsAtOnce = 4

/** Connects the route of batches of data queries. */
export function registerDataBatchRoutes(
  router: Router,
  { data, turns, log, clock }: { data: DataQueryService; turns: FairQueue; log: Log; clock: Clock },
): void {
  router.add(streamDataBatch, async ({ body }, { principal, reply }) =>
    sendFrames<Question, DataBatchFrame>(reply, body.questions, {
      atOnce: questionsAtOnce,
      respond: (asked, { index, write, signal }) =>
        answerOne(index, {
          ask: () => ask({ data, turns }, principal, asked, signal),
          explain: (error) =>
            errorBody(error, { method: 'POST', path: streamDataBatch.path }, { log, clock }),
          write,
          signal,
        }),
    }),
  )
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

/** Writes the answer to one question as it comes. */
async function answerOne(
  question: number,
  given: {
    ask: () => Promise<{ answer: DataAnswer; end: () => void }>
    explain: (error: unknown) => object
    write: WriteFrame<DataBatchFrame>
    signal: AbortSignal
  },
): Promise<void> {
  const { write, signal } = given
  let endTurn = () => {}
  try {
    const { answer, end } = await given.ask()
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
