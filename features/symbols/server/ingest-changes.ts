import type { StoredSeries } from './data-query-store.ts'
import type { MatchedColumns } from './file-reader.ts'
import type { NotedSymbol } from './ingest-notes-store.ts'
import type { IngestTracker } from './ingest-tracker.ts'

/** Symbols and columns that an ingested file adds to its group or changes. */
export interface IngestChanges {
  /** Ids of the value columns of the file. */
  columnIds: number[]
  /** Symbols of the file as they are stored afterwards. `isNew` is true for symbols that the group did not have. */
  series: { digest: Buffer; isNew: boolean; stored: StoredSeries }[]
}

/** Returns the changes of a file whose symbols are all in memory. */
export function ingestChangesOf(
  groupId: number,
  { symbols, columns, tracker }: { symbols: NotedSymbol[]; columns: MatchedColumns; tracker: IngestTracker },
): IngestChanges {
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
      stored: { id, groupId, keys, metadata, columnIds: columnsOf.get(id) ?? [], isFormula: false },
    })),
  }
}
