import type { DataRange } from '@headwater/groups/server'
import type { PointLimits, Selection, SeriesEngine } from '@headwater/timeseries'

/** Symbols of a group, and the limits of the points that count. */
export interface RangedSymbols {
  /** Id of the group. */
  groupId: number
  /** Ids of the symbols. */
  symbolIds: readonly number[]
  /** Value columns of the group. */
  columns: Selection['columns']
  /** Limits of the points. */
  limits: PointLimits
}

/** Returns a range as limits of points. */
export function limitsOf({ from, to }: DataRange): PointLimits {
  return {
    ...(from === null ? {} : { from: from.getTime() }),
    ...(to === null ? {} : { to: to.getTime() - 1 }),
  }
}

/** Returns the ids of the symbols that have a point within the limits, with the ids of the columns that have a value there. */
export async function symbolsWithPoints(
  engine: Pick<SeriesEngine, 'query'>,
  { groupId, symbolIds, columns, limits }: RangedSymbols,
  signal?: AbortSignal,
): Promise<ReadonlyMap<number, readonly number[]>> {
  if (symbolIds.length === 0 || columns.length === 0) return new Map()
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
  const counted = new Map<number, number[]>()
  for (const row of text.split('\n').slice(1)) {
    if (row === '') continue
    const [id, , ...counts] = row.split(',')
    const own = counted.get(Number(id)) ?? []
    for (const [index, count] of counts.entries()) {
      const column = columns[index]!.id
      if (Number(count) > 0 && !own.includes(column)) own.push(column)
    }
    counted.set(Number(id), own)
  }
  return counted
}
