import { toDataQuery, type DataPrepDetails } from '@headwater/preps/contract'
import type { DataQueryInput } from '@headwater/symbols/contract'
import { patternColumnsMessage } from '../basket/basket.ts'
import type { DataPrepSymbols } from '../../contract/index.ts'
import { boundSymbols, type AppliedSet } from '../params/bind-tile.ts'
import type { ChosenRange } from '../params/param-values.ts'
import { rowLimitOf } from '../series/row-limit.ts'
import { dateBound, type SeriesQuery } from '../series/series-request.ts'

/**
 * Returns the queries of a saved data prep, newest rows first.
 * @param given `bindings`: sets of parameters that change the query; `range`: replaces its own range; `absoluteSize`: maximum number of
 * rows, null means the row limit of a page; `drawn`: whether a chart draws the stored points
 * @returns no queries without series, and for an invalid data prep, whose problem is in `error`
 */
export function prepQueries(
  prep: DataPrepDetails,
  given: {
    bindings: readonly AppliedSet[]
    range?: ChosenRange | undefined
    filters: NonNullable<DataQueryInput['filters']>
    absoluteSize: number | null
    drawn?: boolean | undefined
  },
): { symbols: DataPrepSymbols[]; queries: SeriesQuery[]; error: Error | null } {
  const { bindings, range, filters, absoluteSize, drawn = false } = given
  const entries = prep.symbols.map((entry) =>
    bindings.reduce((bound, binding) => boundSymbols(bound as never, binding), entry),
  )
  const symbols = entries.map((entry) => ({
    groupName: entry.groupName ?? prep.dataGroupName ?? '',
    symbols: textsOf(entry.symbols),
  }))
  if (symbols.length === 0) return { symbols, queries: [], error: null }
  try {
    // Charts and tiles read dates in the default format only.
    const { dateFormat: _, ...query } = toDataQuery({ ...prep, symbols: entries })
    const ranged = range === undefined ? query : { ...withoutRange(query), ...fieldsOfRange(range) }
    const limit = rowLimitOf(ranged, { absoluteSize, drawn })
    const body = { ...ranged, ...limit.fields, ...(filters.length === 0 ? {} : { filters }) }
    const request = {
      query: {
        size: -1,
        order: 'desc' as const,
        sortSymbols: false,
        omitNulls: false,
        ...(limit.absoluteSize === undefined ? {} : { absoluteSize: limit.absoluteSize }),
      },
      body,
    }
    const groupNames = new Set(['', ...symbols.map(({ groupName }) => groupName)])
    return { symbols, queries: [{ groupNames, request }], error: null }
  } catch (error) {
    const isPattern = error instanceof Error && 'code' in error && error.code === 'patternNeedsColumns'
    return { symbols, queries: [], error: isPattern ? new Error(patternColumnsMessage) : (error as Error) }
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

function fieldsOfRange(range: ChosenRange): Partial<DataQueryInput> {
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
