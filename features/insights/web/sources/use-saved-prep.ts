import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { getDataPrep, getDataPrepByName, toDataQuery, type DataPrepDetails } from '@headwater/preps/contract'
import type { DataQueryInput } from '@headwater/symbols/contract'
import { ApiError, call, intervals, refreshEvery } from '@headwater/web-kit'
import { patternColumnsMessage } from '../basket/basket.ts'
import { boundSymbols, type AppliedSet } from '../params/bind-tile.ts'
import type { DataPrepSymbols } from '../../contract/index.ts'
import { dateBound } from '../series/series-request.ts'
import { type Question, type TileSeries, useQuestions } from '../series/use-series.ts'
import { NoPrepError } from './no-prep-error.ts'
import type { DataPrepAddress } from './tile-source.ts'

/** How the definition of a saved data prep is read. */
export function savedPrepQuery(address: DataPrepAddress | undefined) {
  return queryOptions({
    queryKey: ['tileDataPrep', address],
    queryFn: ({ signal }) => readPrep(address!, signal),
  })
}

/** The rows of a saved data prep, in its range and form, newest first. */
export function useSavedPrep(
  address: DataPrepAddress | undefined,
  options: {
    enabled: boolean
    watched: boolean
    /** Sets of parameters whose values change the question. */
    bindings: readonly AppliedSet[]
    filters: NonNullable<DataQueryInput['filters']>
    /** Rows of the answer at most; null = all. */
    absoluteSize: number | null
  },
): TileSeries & { isChosen: boolean; symbols: readonly DataPrepSymbols[]; timeZone: string | undefined } {
  const isChosen =
    address !== undefined && ('id' in address || (address.name !== '' && address.groupName !== ''))
  const definition = useQuery({
    ...savedPrepQuery(address),
    enabled: options.enabled && isChosen,
    refetchInterval: options.watched ? refreshEvery(intervals.favouritesMs) : false,
  })
  const { filters, absoluteSize } = options
  const bindingsKey = JSON.stringify([options.bindings, filters])
  const asked = useMemo(
    () =>
      definition.data === undefined ? undefined : ask(definition.data, { ...options, filters, absoluteSize }),
    // oxlint-disable-next-line react/exhaustive-deps -- what they say, not the objects themselves
    [definition.data, bindingsKey, absoluteSize],
  )
  const series = useQuestions(asked?.symbols ?? none, asked?.questions ?? none, options)
  const error = definition.error ?? asked?.error ?? series.error
  return {
    ...series,
    answers: error === null ? (asked?.questions.length === 0 ? none : series.answers) : undefined,
    error,
    retry: () => void (definition.error ? definition.refetch() : series.retry()),
    isChosen,
    symbols: asked?.symbols ?? none,
    timeZone: definition.data?.timezone,
  }
}

const none: never[] = []

async function readPrep(address: DataPrepAddress, signal: AbortSignal): Promise<DataPrepDetails> {
  try {
    if ('id' in address) return await call(getDataPrep, { params: { id: address.id }, query: {} }, { signal })
    const query = { ...address, latest: true, withMetadata: false, resolvePattern: false }
    return await call(getDataPrepByName, { query }, { signal })
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404))
      throw new NoPrepError(error, address)
    throw error
  }
}

function ask(
  prep: DataPrepDetails,
  given: {
    bindings: readonly AppliedSet[]
    filters: NonNullable<DataQueryInput['filters']>
    absoluteSize: number | null
  },
): { symbols: DataPrepSymbols[]; questions: Question[]; error: Error | null } {
  const { bindings, filters, absoluteSize } = given
  const entries = prep.symbols.map((entry) =>
    bindings.reduce((bound, binding) => boundSymbols(bound as never, binding), entry),
  )
  const symbols = entries.map((entry) => ({
    groupName: entry.groupName ?? prep.dataGroupName ?? '',
    symbols: textsOf(entry.symbols),
  }))
  if (symbols.length === 0) return { symbols, questions: [], error: null }
  try {
    // dates come in the form that charts and formats of tiles read
    const { dateFormat: _, ...query } = toDataQuery({ ...prep, symbols: entries })
    const range = bindings.map((binding) => rangeOf(binding)).find((chosen) => chosen !== undefined)
    const body = {
      ...(range === undefined ? query : { ...withoutRange(query), ...range }),
      ...(filters.length === 0 ? {} : { filters }),
    }
    const request = {
      query: {
        size: -1,
        order: 'desc' as const,
        sortSymbols: false,
        omitNulls: false,
        ...(absoluteSize === null ? {} : { absoluteSize }),
      },
      body,
    }
    const groupNames = new Set(['', ...symbols.map(({ groupName }) => groupName)])
    return { symbols, questions: [{ groupNames, request }], error: null }
  } catch (error) {
    const isPattern = error instanceof Error && 'code' in error && error.code === 'patternNeedsColumns'
    return { symbols, questions: [], error: isPattern ? new Error(patternColumnsMessage) : (error as Error) }
  }
}

const rangeFields = [
  'range',
  'startDate',
  'endDate',
  'lastType',
  'lastTypeAmount',
  'lastTypeOnTime',
  'lastTypeOnTimeTimezone',
  'holidayCalendar',
]

function withoutRange(query: DataQueryInput): DataQueryInput {
  return Object.fromEntries(Object.entries(query).filter(([name]) => !rangeFields.includes(name)))
}

function rangeOf({ chosen: { range } }: AppliedSet): Partial<DataQueryInput> | undefined {
  if (range === undefined) return undefined
  if (range.range === 'ALL') return { range: 'ALL' }
  if (range.range === 'LAST')
    return { range: 'LAST', lastType: range.lastType, lastTypeAmount: range.lastTypeAmount }
  return {
    range: 'BETWEEN',
    startDate: dateBound(range.from, '', 'start'),
    endDate: dateBound(range.to, '', 'end'),
  }
}

function textsOf(symbols: object): Record<string, string> {
  return Object.fromEntries(Object.entries(symbols).map(([key, value]) => [key, String(value)]))
}
