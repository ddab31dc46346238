import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { getDataPrep, getDataPrepByName, type DataPrepDetails } from '@headwater/preps/contract'
import type { DataQueryInput } from '@headwater/symbols/contract'
import { ApiError, call, intervals, refreshEvery } from '@headwater/web-kit'
import type { DataPrepSymbols } from '../../contract/index.ts'
import type { AppliedSet } from '../../contract/params/bind-tile.ts'
import type { ChosenRange } from '../../contract/params/param-values.ts'
import { isChosen } from '../../contract/sources/asked-data.ts'
import { prepQuestions } from '../../contract/sources/prep-questions.ts'
import { type SeriesOptions, type TileSeries, useQuestions } from '../series/use-series.ts'
import { NoPrepError } from './no-prep-error.ts'
import type { DataPrepAddress } from '../../contract/sources/tile-source.ts'

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
  options: SeriesOptions & {
    /** Sets of parameters whose values change the question. */
    bindings: readonly AppliedSet[]
    /** In place of the range of the data prep; undefined = its own. */
    range: ChosenRange | undefined
    filters: NonNullable<DataQueryInput['filters']>
    /** Rows of the answer at most; null = as many as a page loads. */
    absoluteSize: number | null
  },
): TileSeries & { symbols: readonly DataPrepSymbols[]; timeZone: string | undefined } {
  const isNamed =
    address !== undefined && isChosen({ source: { kind: 'dataPrep', dataPrep: address }, symbols: none })
  const definition = useQuery({
    ...savedPrepQuery(address),
    enabled: options.enabled && isNamed,
    refetchInterval: options.watched ? refreshEvery(intervals.favouritesMs) : false,
  })
  const { filters, absoluteSize, drawn } = options
  const bindingsKey = JSON.stringify([options.bindings, options.range, filters])
  const asked = useMemo(
    () =>
      definition.data === undefined
        ? undefined
        : prepQuestions(definition.data, { ...options, filters, absoluteSize }),
    // oxlint-disable-next-line react/exhaustive-deps -- what they say, not the objects themselves
    [definition.data, bindingsKey, absoluteSize, drawn],
  )
  const series = useQuestions(asked?.symbols ?? none, asked?.questions ?? none, options)
  const error = definition.error ?? asked?.error ?? series.error
  return {
    ...series,
    answers: error === null ? (asked?.questions.length === 0 ? none : series.answers) : undefined,
    error,
    retry: () => void (definition.error ? definition.refetch() : series.retry()),
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
