import { getGroup } from '@headwater/groups/contract'
import { streamData, type DataQueryInput } from '@headwater/symbols/contract'
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useSettings } from '@headwater/accounts/web'
import { ApiError, call, intervals, message, refreshEvery, routeKey } from '@headwater/web-kit'
import type { DataPrepSymbols } from '../../contract/index.ts'
import { askBatched } from './batched-question.ts'
import type { LoadedAnswer } from '../../contract/series/loaded-answer.ts'
import { inWindow, withWindow, type TimeWindow } from '../../contract/series/answer-window.ts'
import { maxLoadedRows, rowsOfAll } from '../../contract/series/row-limit.ts'
import { silentGroups } from '../../contract/series/silent-groups.ts'
import { readSeriesAnswer, rowsBySymbol, SeriesAnswerError } from '../../contract/series/series-answer.ts'
import { seriesQuestions, type Question } from '../../contract/series/series-request.ts'
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
  /** Rows in the window in view, and how many of them came as points for drawing; undefined where all of them came. */
  drawing: { total: number; drawn: number } | undefined
  /** All rows where points were chosen for drawing, as many as a page loads; of a window of them when one is given. */
  loadRows: (window?: TimeWindow) => Promise<readonly LoadedAnswer[]>
}

/** Which rows a tile wants, and when. */
export interface SeriesOptions {
  /** False until the tile comes near. */
  enabled: boolean
  /** Whether it refreshes by itself. */
  watched: boolean
  /** Whether the row limit is lifted to what a page loads. */
  all?: boolean | undefined
  /** Whether points are drawn, and none is computed from several; then all of the range comes, if need be as points chosen for drawing. */
  drawn?: boolean | undefined
  /** Names of metadata that come with the points of series; default none. */
  metadata?: readonly string[] | undefined
  /** The part in view of what is drawn, in which more points come; absent = all. */
  window?: TimeWindow | undefined
}

/**
 * Asks storage for the series of a tile, and again every 10 s while `watched`. The same answer is the same object, so
 * nothing is drawn again unless data changed.
 * @param options `filters`: conditions besides
 */
export function useSeries(
  symbols: readonly DataPrepSymbols[],
  range: SeriesRange,
  options: SeriesOptions & { filters?: DataQueryInput['filters'] },
): TileSeries {
  const settings = useSettings()
  const { all, drawn, metadata, filters } = options
  const warehouse = settings?.warehouse === 'ON'
  const questions = seriesQuestions(symbols, range, { warehouse, all, drawn, metadata, filters })
  return useQuestions(symbols, questions, options)
}

/**
 * Asks storage some questions at once, as {@link useSeries} does.
 * @param symbols what they ask for, to tell which of it the user cannot read
 */
export function useQuestions(
  symbols: readonly Pick<DataPrepSymbols, 'groupName' | 'symbols'>[],
  questions: readonly Question[],
  options: Pick<SeriesOptions, 'enabled' | 'watched' | 'window'>,
): TileSeries {
  const client = useQueryClient()
  const key = [streamData.name, questions.map(({ request }) => request)]
  const query = useQuery({
    queryKey: key,
    enabled: options.enabled && questions.length > 0,
    queryFn: async ({ signal }) => {
      const before = client.getQueryData<Kept[]>(key)
      const answers = await loadAll(questions, signal, before)
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
  const detail = useDetail(questions, data, options)
  const answers = useMemo(
    () =>
      data?.map(({ loaded }, index) => {
        const part = detail?.answers[index]
        if (part === undefined || loaded.answer.drawn !== true) return loaded
        return withWindow(loaded, part.loaded, detail!.window, detail!.timeZones[index]!)
      }),
    [data, detail],
  )
  const isOfView = detail?.window.from === options.window?.from && detail?.window.to === options.window?.to
  const inView = (isOfView ? detail?.answers : undefined) ?? data
  const rows = rowsOfAll(inView?.map(({ loaded }) => loaded.answer) ?? [])
  const isDrawn = data?.some(({ loaded }) => loaded.answer.drawn === true) === true
  return {
    drawing: isDrawn && rows?.total !== undefined ? { total: rows.total, drawn: rows.shown } : undefined,
    loadRows: async (window) => {
      const whole = questions.map((question) => undrawn(window ? inWindow(question, window) : question))
      const loaded = await loadAll(whole, new AbortController().signal)
      return loaded.map((kept) => kept.loaded)
    },
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

/** Answers to some questions; one of several that is refused has none. */
async function loadAll(
  questions: readonly Question[],
  signal: AbortSignal,
  before?: readonly Kept[],
): Promise<Kept[]> {
  const refusals: unknown[] = []
  const answers = await Promise.all(
    questions.map(async (question, index) => {
      try {
        return await load(question, signal, before?.[index])
      } catch (error) {
        if (!isUnreadable(error) && !isGone(error)) throw error
        // one of several: what the others answer is shown, and this group asked for by name
        refusals.push(error)
        return emptyAnswer(question.groupNames)
      }
    }),
  )
  if (refusals.length === questions.length) throw refusals[0]
  return answers
}

async function load({ request, groupNames }: Question, signal: AbortSignal, before?: Kept): Promise<Kept> {
  const { text, totalRows } = await askBatched(request, signal)
  if (before?.text === text && before.loaded.answer.totalRows === totalRows) return before
  const answer = readSeriesAnswer(text, { totalRows, drawn: request.body.drawPoints != null })
  return { text, loaded: { groupNames, answer, rowsOf: rowsBySymbol(answer) } }
}

/** The same question for the rows themselves, as many as a page loads. */
function undrawn({ groupNames, request }: Question): Question {
  const { drawPoints: _, ...body } = request.body
  const query = { ...request.query, absoluteSize: maxLoadedRows }
  return { groupNames, request: { query, body: { ...body, countRows: true } } }
}

/** What came for a window of points that were chosen for drawing. */
interface Detail {
  window: TimeWindow
  timeZones: readonly string[]
  answers: readonly Kept[]
}

/**
 * Asks for more points in the window in view, where points were chosen for drawing. While those of another window are on
 * their way, those that came last stay.
 */
function useDetail(
  questions: readonly Question[],
  data: readonly Kept[] | undefined,
  { enabled, watched, window }: Pick<SeriesOptions, 'enabled' | 'watched' | 'window'>,
): Detail | undefined {
  const isDrawn = data?.some(({ loaded }) => loaded.answer.drawn === true) === true
  const requests = JSON.stringify(questions.map(({ request }) => request))
  const isAsked = enabled && isDrawn && window !== undefined
  const query = useQuery({
    queryKey: [streamData.name, 'window', requests, window],
    enabled: isAsked,
    queryFn: async ({ signal }): Promise<Detail> => ({
      window: window!,
      timeZones: questions.map(({ request }) => request.body.timeZone ?? 'UTC'),
      answers: await loadAll(
        questions.map((question) => inWindow(question, window!)),
        signal,
      ),
    }),
    placeholderData: (last, lastQuery) => (lastQuery?.queryKey[2] === requests ? last : undefined),
    structuralSharing: false,
    refetchInterval: watched ? refreshEvery(intervals.listMs) : false,
  })
  return isAsked ? query.data : undefined
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
