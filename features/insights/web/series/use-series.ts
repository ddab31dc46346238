import { getGroup } from '@headwater/groups/contract'
import { streamData, type DataQueryInput } from '@headwater/symbols/contract'
import { useQueries, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useSettings } from '@headwater/accounts/web'
import { ApiError, call, intervals, message, refreshEvery, routeKey } from '@headwater/web-kit'
import type { DataPrepSymbols } from '../../contract/index.ts'
import { askBatched } from './batched-question.ts'
import type { LoadedAnswer } from '../../contract/series/loaded-answer.ts'
import { silentGroups } from '../../contract/series/silent-groups.ts'
import { readSeriesAnswer, rowsBySymbol, SeriesAnswerError } from '../../contract/series/series-answer.ts'
import { seriesQuestions, type Question, type SeriesRequest } from '../../contract/series/series-request.ts'
import type { SeriesRange } from '../../contract/series/series-range.ts'

/** The series of a tile. */
export interface TileSeries {
  /** Undefined until they are here, or when they could not be had. */
  answers: readonly LoadedAnswer[] | undefined
  error: Error | null
  retry: () => void
  /** When they were last asked for, epoch milliseconds; 0 = never. */
  refreshedAt: number
  /** Groups that are asked for and that the user cannot read. */
  forbiddenGroups: readonly string[]
}

/**
 * Asks storage for the series of a tile, and again every 10 s while `watched`. The same answer is the same object, so
 * nothing is drawn again unless data changed.
 * @param options `enabled`: false until the tile comes near; `all`: without the row limit; `filters`: conditions besides
 */
export function useSeries(
  symbols: readonly DataPrepSymbols[],
  range: SeriesRange,
  options: { enabled: boolean; watched: boolean; all?: boolean; filters?: DataQueryInput['filters'] },
): TileSeries {
  const settings = useSettings()
  const { all, filters } = options
  const questions = seriesQuestions(symbols, range, { warehouse: settings?.warehouse === 'ON', all, filters })
  return useQuestions(symbols, questions, options)
}

/**
 * Asks storage some questions at once, as {@link useSeries} does.
 * @param symbols what they ask for, to tell which of it the user cannot read
 */
export function useQuestions(
  symbols: readonly Pick<DataPrepSymbols, 'groupName' | 'symbols'>[],
  questions: readonly Question[],
  options: { enabled: boolean; watched: boolean },
): TileSeries {
  const client = useQueryClient()
  const key = [streamData.name, questions.map(({ request }) => request)]
  const query = useQuery({
    queryKey: key,
    enabled: options.enabled && questions.length > 0,
    queryFn: async ({ signal }) => {
      const refusals: unknown[] = []
      const answers = await Promise.all(
        questions.map(async ({ request, groupNames }, index) => {
          try {
            return await load({ client, key, index, request, groupNames, signal })
          } catch (error) {
            if (!isUnreadable(error) && !isGone(error)) throw error
            // one of several: what the others answer is shown, and this group asked for by name
            refusals.push(error)
            return emptyAnswer(groupNames)
          }
        }),
      )
      if (refusals.length === questions.length) throw refusals[0]
      const before = client.getQueryData<Kept[]>(key)
      return before !== undefined && answers.every((kept, index) => kept === before[index]) ? before : answers
    },
    structuralSharing: false,
    refetchInterval: options.watched ? refreshEvery(intervals.listMs) : false,
  })
  const isForbidden = isUnreadable(query.error)
  const error = isForbidden ? null : query.error
  const silentGroups = useForbiddenGroups(symbols, isForbidden ? undefined : query.data)
  useLoudErrors(error)
  const { data } = query
  const answers = useMemo(() => data?.map(({ loaded }) => loaded), [data])
  return {
    answers: isForbidden ? none : error === null ? answers : undefined,
    error,
    retry: () => void query.refetch(),
    refreshedAt: query.dataUpdatedAt,
    forbiddenGroups: isForbidden ? [...new Set(symbols.map(({ groupName }) => groupName))] : silentGroups,
  }
}

/** Whether a question was refused because all its groups are out of reach. */
function isUnreadable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'groupNotFound'
}

/** Whether a question of a visitor was refused because none of its groups can be shown any more. */
function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'publicDataGone'
}

function emptyAnswer(groupNames: ReadonlySet<string>): Kept {
  return {
    text: '',
    loaded: { groupNames, answer: { header: [], rows: [], limited: false }, rowsOf: () => [] },
  }
}

/** The answers when all groups are out of reach. */
const none: readonly LoadedAnswer[] = []

interface Kept {
  text: string
  loaded: LoadedAnswer
}

async function load(given: {
  client: QueryClient
  key: readonly unknown[]
  index: number
  request: SeriesRequest
  groupNames: ReadonlySet<string>
  signal: AbortSignal
}): Promise<Kept> {
  const { client, key, index, request, groupNames, signal } = given
  const text = await askBatched(request, signal)
  const kept = client.getQueryData<Kept[]>(key)?.[index]
  if (kept?.text === text) return kept
  const answer = readSeriesAnswer(text, request.query.absoluteSize)
  return { text, loaded: { groupNames, answer, rowsOf: rowsBySymbol(answer) } }
}

/** Errors that are no fault of the question are told as a message too, once for each. */
function useLoudErrors(error: Error | null): void {
  const text = error instanceof SeriesAnswerError && !error.quiet ? error.message : undefined
  useEffect(() => {
    if (text !== undefined) message(text, 'error')
  }, [text])
}

/**
 * Storage leaves out what a user cannot read as long as something is left; so a group without any row is asked for by
 * name.
 */
function useForbiddenGroups(
  symbols: readonly Pick<DataPrepSymbols, 'groupName' | 'symbols'>[],
  kept: Kept[] | undefined,
): string[] {
  const silent =
    kept === undefined
      ? []
      : silentGroups(
          symbols,
          kept.map(({ loaded }) => loaded),
        )
  return useQueries({
    queries: silent.map((name) => ({
      queryKey: ['readableGroup', name, routeKey(getGroup, { params: { name } })],
      queryFn: ({ signal }: { signal: AbortSignal }) => mayRead(name, signal),
      staleTime: intervals.favouritesMs,
    })),
    combine: (results) => silent.filter((_, index) => results[index]?.data === false),
  })
}

async function mayRead(name: string, signal: AbortSignal): Promise<boolean> {
  try {
    await call(getGroup, { params: { name } }, { signal })
    return true
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return false
    throw error
  }
}
