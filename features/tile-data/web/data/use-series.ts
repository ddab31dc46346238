import { getGroup } from '@headwater/groups/contract'
import { streamData, totalRowsHeader, type DataQueryInput } from '@headwater/symbols/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useSettings } from '@headwater/accounts/web'
import { ApiError, call, callRaw, intervals, routeKey } from '@headwater/web-kit'
import type { DataPrepSymbols } from '../../contract/index.ts'
import { readSeriesResult, rowsBySymbol } from '../../core/series/series-result.ts'
import { silentGroups } from '../../core/series/silent-groups.ts'
import { seriesQueries, type SeriesQuery } from '../../core/series/series-request.ts'
import type { SeriesRange } from '../../core/series/series-range.ts'
import type { ResultText } from '../requests/request-tile.ts'
import { type SeriesOptions, type TileSeries, useResults } from './use-results.ts'

/**
 * Queries series outside of stored tiles: lookups of a table and symbols of a search.
 * @param options `filters`: additional filters
 */
export function useSeries(
  symbols: readonly DataPrepSymbols[],
  range: SeriesRange,
  options: SeriesOptions & { filters?: DataQueryInput['filters'] },
): TileSeries {
  const client = useQueryClient()
  const warehouse = useSettings()?.warehouse === 'ON'
  const queries = seriesQueries(symbols, range, {
    warehouse,
    all: options.all,
    filters: options.filters,
  })

  /** Returns the groups that the user cannot read. A result omits them without an error if other groups remain. */
  async function hiddenIn(results: readonly ResultText[]): Promise<string[]> {
    const loaded = results.map(({ text, groupNames }) => {
      const result = readSeriesResult(text)
      return { groupNames: new Set(groupNames), result, rowsOf: rowsBySymbol(result) }
    })
    const hidden: string[] = []
    for (const name of silentGroups(symbols, loaded)) {
      const isReadable = await client.fetchQuery({
        queryKey: ['readableGroup', name, routeKey(getGroup, { params: { name } })],
        queryFn: ({ signal }) => canRead(name, signal),
        staleTime: intervals.favouritesMs,
      })
      if (!isReadable) hidden.push(name)
    }
    return hidden
  }

  return useResults(
    {
      key: [streamData.name, queries.map(({ request }) => request)],
      async load(_wanted, signal) {
        const results = await Promise.all(queries.map((query) => load(query, signal)))
        return { results, hiddenGroups: await hiddenIn(results), prep: undefined }
      },
    },
    { ...options, enabled: options.enabled && queries.length > 0 },
  )
}

async function load({ request, groupNames }: SeriesQuery, signal: AbortSignal): Promise<ResultText> {
  const about = { groupNames: [...groupNames], timeZone: request.body.timeZone ?? 'UTC', drawn: false }
  try {
    const response = await callRaw(streamData, request, { signal, headers: { Accept: 'text/csv' } })
    const total = response.headers.get(totalRowsHeader)
    return { ...about, totalRows: total === null ? undefined : Number(total), text: await response.text() }
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'groupNotFound')) throw error
    return { ...about, totalRows: undefined, text: '' }
  }
}

async function canRead(name: string, signal: AbortSignal): Promise<boolean> {
  try {
    await call(getGroup, { params: { name } }, { signal })
    return true
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return false
    throw error
  }
}
