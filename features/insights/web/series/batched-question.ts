import {
  maxBatchQuestions,
  streamData,
  streamDataBatch,
  totalRowsHeader,
  type DataBatchFrame,
} from '@headwater/symbols/contract'
import { ApiError, callRaw } from '@headwater/web-kit'
import { readFrames } from './read-frames.ts'
import type { SeriesRequest } from '../../contract/series/series-request.ts'

/** Questions that are asked within this time travel together. */
const gatherMs = 4

interface Waiting {
  request: SeriesRequest
  signal: AbortSignal
  resolve: (answer: AnswerText) => void
  reject: (error: unknown) => void
}

/** An answer of storage. */
export interface AnswerText {
  text: string
  /** How many rows there are, where the server says it. */
  totalRows: number | undefined
}

let gathered: Waiting[] = []

/**
 * Asks storage a question, together with those of other tiles that are asked in the same moment. Each is answered as
 * soon as its own answer is there.
 * @throws ApiError as a call of its own would
 */
export function askBatched(request: SeriesRequest, signal: AbortSignal): Promise<AnswerText> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    if (gathered.length === 0) setTimeout(sendGathered, gatherMs)
    gathered.push({ request, signal, resolve, reject })
  })
}

function sendGathered(): void {
  const questions = gathered.filter(({ signal }) => !signal.aborted)
  gathered = []
  for (let from = 0; from < questions.length; from += maxBatchQuestions)
    void send(questions.slice(from, from + maxBatchQuestions))
}

async function send(questions: readonly Waiting[]): Promise<void> {
  try {
    await (questions.length === 1 ? askOne(questions[0]!) : askTogether(questions))
  } catch (error) {
    for (const { reject } of questions) reject(error)
  }
}

async function askOne({ request, signal, resolve }: Waiting): Promise<void> {
  const response = await callRaw(streamData, request, { signal, headers: { Accept: 'text/csv' } })
  resolve({ text: await response.text(), totalRows: totalRowsOf(response) })
}

async function askTogether(questions: readonly Waiting[]): Promise<void> {
  const body = { questions: questions.map(({ request }) => request) }
  const response = await callRaw(streamDataBatch, { body }, { signal: whenAllAborted(questions) })
  const parts = questions.map(() => new TextCollector())
  const totals = questions.map((): number | undefined => undefined)
  let isFirst = true
  for await (const { frame, bytes } of readFrames<DataBatchFrame>(response.body!)) {
    const question = questions[frame.question]!
    totals[frame.question] ??= frame.totalRows
    if (frame.error !== undefined) question.reject(new ApiError(frame.error))
    else if (bytes !== undefined) parts[frame.question]!.add(bytes)
    else if (frame.done === true) {
      question.resolve({ text: parts[frame.question]!.text(), totalRows: totals[frame.question] })
      if (question.signal.aborted) continue
      // Who is answered first need not wait until all others are drawn. A page that nobody sees draws nothing,
      // and its timers are slow.
      if (isFirst && !document.hidden) await shown()
      isFirst = false
    }
  }
  throw new ApiError({ status: 0, message: 'The answer ended before it was complete. Try again.' })
}

/** How many rows a response says there are. */
export function totalRowsOf({ headers }: Response): number | undefined {
  const text = headers.get(totalRowsHeader)
  return text === null ? undefined : Number(text)
}

/** Waits until what was just handed on is on the page: one task tells of it, and the next one comes after that. */
async function shown(): Promise<void> {
  for (let task = 0; task < 2; task++) await new Promise((resolve) => setTimeout(resolve))
}

/** Bytes of an answer become its text; halves of characters wait for the rest. */
class TextCollector {
  readonly #decoder = new TextDecoder()
  #text = ''

  add(bytes: Uint8Array): void {
    this.#text += this.#decoder.decode(bytes, { stream: true })
  }

  text(): string {
    return this.#text + this.#decoder.decode()
  }
}

/** Nobody waits any more only when every question has been given up. */
function whenAllAborted(questions: readonly Waiting[]): AbortSignal {
  const controller = new AbortController()
  let open = questions.length
  for (const { signal } of questions)
    signal.addEventListener('abort', () => (open -= 1) === 0 && controller.abort(signal.reason), {
      once: true,
    })
  return controller.signal
}
