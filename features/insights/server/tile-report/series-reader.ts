import { AppError, invalidInput } from '@headwater/contract'
import type { Groups } from '@headwater/groups/server'
import { isRefusal, validationErrorsOf, type Principal } from '@headwater/server-kit'
import { dataQuery, dataQueryParameters } from '@headwater/symbols/contract'
import type { Symbols } from '@headwater/symbols/server'
import type { DataPrepSymbols } from '../../contract/index.ts'
import type { LoadedAnswer } from '../../contract/series/loaded-answer.ts'
import { readSeriesAnswer, rowsBySymbol } from '../../contract/series/series-answer.ts'
import type { Question, SeriesRequest } from '../../contract/series/series-request.ts'
import { silentGroups } from '../../contract/series/silent-groups.ts'
import type { Reading } from './reading.ts'
import { TileProblem } from './tile-problem.ts'

/** Bytes of one answer that are read at most. */
const maxAnswerBytes = 20_000_000

/** What storage answered for a tile. */
export interface ReadSeries {
  answers: LoadedAnswer[]
  /** Groups that are asked for and that the user cannot read. */
  hiddenGroups: string[]
}

/** Asks storage for the series of tiles. */
export type SeriesReader = ReturnType<typeof createSeriesReader>

/** The reader of series. */
export function createSeriesReader({
  data,
  groups,
}: {
  data: Pick<Symbols['data'], 'answer'>
  groups: Pick<Groups, 'access'>
}) {
  async function ask(principal: Principal, { query, body }: SeriesRequest, signal: AbortSignal) {
    const parameters = dataQueryParameters.safeParse(query)
    const question = dataQuery.safeParse(body)
    if (!parameters.success || !question.success)
      throw invalidInput(
        [parameters, question].flatMap(({ error }) => (error ? validationErrorsOf(error) : [])),
      )
    return data.answer(principal, question.data, { parameters: parameters.data, signal })
  }

  async function load(reading: Reading, { groupNames, request }: Question): Promise<LoadedAnswer> {
    const { principal, signal } = reading
    const found = await ask(principal, request, signal)
    if (found.isPartial) reading.isPartial = true
    const { totalRows } = found
    const answer = readSeriesAnswer(await textOf(found, signal), { totalRows })
    return { groupNames, answer, rowsOf: rowsBySymbol(answer) }
  }

  async function mayRead(principal: Principal, groupName: string): Promise<boolean> {
    try {
      await groups.access.getGroup(principal, groupName, 'R')
      return true
    } catch (error) {
      if (isRefusal(error)) return false
      throw error
    }
  }

  async function isAnyHidden({ principal }: Reading, symbols: readonly DataPrepSymbols[]): Promise<boolean> {
    for (const groupName of new Set(symbols.map((entry) => entry.groupName)))
      if (!(await mayRead(principal, groupName))) return true
    return false
  }

  return {
    /**
     * The answers to some questions, one after another. What one of several cannot be answered is left out of it.
     * @param symbols what they ask for, to tell which of it the user cannot read
     */
    async read(
      reading: Reading,
      symbols: readonly DataPrepSymbols[],
      questions: readonly Question[],
    ): Promise<ReadSeries> {
      const answers: LoadedAnswer[] = []
      for (const question of questions) {
        try {
          answers.push(await load(reading, question))
        } catch (error) {
          // What is wrong with a question may follow from what it leaves out.
          if (await isAnyHidden(reading, symbols)) reading.isPartial = true
          if (!(error instanceof AppError && error.code === 'groupNotFound')) throw error
        }
      }
      const hiddenGroups: string[] = []
      for (const groupName of silentGroups(symbols, answers))
        if (!(await mayRead(reading.principal, groupName))) hiddenGroups.push(groupName)
      return { answers, hiddenGroups }
    },
  }
}

async function textOf(
  { bytes, stream }: { bytes?: Uint8Array; stream: AsyncIterable<Uint8Array> },
  signal: AbortSignal,
): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let sizeBytes = 0
  for await (const part of bytes === undefined ? stream : [bytes]) {
    signal.throwIfAborted()
    sizeBytes += part.length
    if (sizeBytes > maxAnswerBytes)
      throw new TileProblem(
        `Its data are larger than ${maxAnswerBytes / 1_000_000} MB, the most that a report reads. Choose a shorter range or fewer series.`,
      )
    text += decoder.decode(part, { stream: true })
  }
  return text + decoder.decode()
}
