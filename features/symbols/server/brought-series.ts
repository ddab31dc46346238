import type { StoredSeries } from './data-query-store.ts'
import type { MatchedColumns } from './file-reader.ts'
import type { NotedSymbol } from './ingest-store.ts'
import type { IngestTracker } from './ingest-tracker.ts'

/** All that a file brings to the symbols and columns of its group. */
export interface BroughtSeries {
  /** Ids of the value columns of the file. */
  columnIds: number[]
  series: { digest: Buffer; isNew: boolean; brought: StoredSeries }[]
}

/** What a file brings, of whose symbols everything is in memory. */
export function broughtSeries(
  groupId: number,
  { symbols, columns, tracker }: { symbols: NotedSymbol[]; columns: MatchedColumns; tracker: IngestTracker },
): BroughtSeries {
  const columnIds = columns.value.map(({ id }) => id)
  const columnsOf = new Map<number, number[]>()
  for (const piece of tracker.facts(symbols.length))
    for (const { sid, columns: own } of piece)
      columnsOf.set(
        sid,
        own.map((column) => columnIds[column]!).toSorted((a, b) => a - b),
      )
  return {
    columnIds,
    series: symbols.map(({ id, digest, keys, metadata, isNew }) => ({
      digest,
      isNew,
      brought: { id, groupId, keys, metadata, columnIds: columnsOf.get(id) ?? [], isFormula: false },
    })),
  }
}
