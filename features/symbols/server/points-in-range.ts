import type { PointLimits, Selection, SeriesEngine } from '@headwater/timeseries'

/** Symbols of a group, and the limits of the points that count. */
export interface LimitedSymbols {
  /** Id of the group. */
  groupId: number
  /** Ids of the symbols. */
  symbolIds: readonly number[]
  /** Value columns of the group. */
  columns: Selection['columns']
  /** Limits of the points. */
  limits: PointLimits
}

/** Returns the ids of the symbols that have a point within the limits. */
export async function symbolsWithPoints(
  engine: Pick<SeriesEngine, 'query'>,
  { groupId, symbolIds, columns, limits }: LimitedSymbols,
  signal?: AbortSignal,
): Promise<ReadonlySet<number>> {
  if (symbolIds.length === 0 || columns.length === 0) return new Set()
  const series = symbolIds.map((id) => ({ sid: id, symbols: [String(id)] }))
  const { stream } = await engine.query(
    {
      symbolKeys: ['Id'],
      selections: [{ dataset: groupId, columns, series, limits }],
      format: 'NCSV',
      // At most two rows for each symbol.
      resample: { unit: 'YEARS', amount: 1000, functions: ['count'] },
    },
    signal === undefined ? {} : { signal },
  )
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) text += decoder.decode(chunk, { stream: true })
  const rows = text.split('\n').slice(1)
  return new Set(rows.filter((row) => row !== '').map((row) => Number(row.slice(0, row.indexOf(',')))))
}
