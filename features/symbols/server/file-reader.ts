import { beginningOf, directionProblem } from '@headwater/contract'
import type { IngestFile } from '@headwater/files/server'
import { readNcsv, type NcsvBatch, type NcsvColumn, type NcsvHeader, type NcsvReading } from '@headwater/ncsv'
import type { CollectedPoints, PointBatch, SeriesEngine } from '@headwater/timeseries'
import { maxSymbolKeys } from '../contract/index.ts'
import { IngestRefused } from './ingest-refused.ts'
import { IngestTracker } from './ingest-tracker.ts'
import type { NamedSymbol } from './ingest-notes-store.ts'
import type { IngestStore, StoredColumn } from './ingest-store.ts'
import { isoLocal } from './local-date.ts'
import { symbolDigest } from './symbol-digest.ts'
import type { SymbolNotes } from './symbol-notes.ts'

/** Number of symbols per statement. */
export const symbolsPerStatement = 10_000
/** Rows per batch. Its memory is reused; every batch with new symbols queries the database. */
const batchRows = 65_536
const longestName = 500
const longestValue = 2000
/** Maximum number of value columns and of metadata columns in a file. Every column of a group slows down its queries. */
const maxFileColumns = 1000
/** Maximum number of value columns in a group. */
const maxGroupColumns = 2000

/** A file that was read completely. */
export interface FileReading {
  /** Header of the file. */
  header: NcsvHeader
  /** Columns of the file with their ids. */
  columns: MatchedColumns
  /** Facts about the symbols of the file. */
  tracker: IngestTracker
  /** Number of rows below the header. */
  rowCount: number
  /** Rows for the engine; undefined if the file has no points. */
  points: CollectedPoints | undefined
}

/** Columns of a file with their ids. */
export interface MatchedColumns {
  /** Columns of the file in their order. */
  value: StoredColumn[]
  /** Names of the symbol columns. */
  keyNames: string[]
  /** Metadata columns; empty if metadata is skipped. */
  metadata: Omit<StoredColumn, 'id'>[]
}

/** The reader of series files. */
export type FileReader = ReturnType<typeof createFileReader>

/** Creates the reader of series files. It passes rows to the engine, and symbols and metadata to the notes. */
export function createFileReader({ store, engine }: { store: IngestStore; engine: SeriesEngine }) {
  /**
   * Reads a file. Its data stays invisible until the ingest commits.
   * @throws NcsvError, IngestRefused if the file is not valid
   */
  async function read(
    file: IngestFile,
    content: AsyncIterable<Uint8Array>,
    {
      notes,
      signal,
      progress,
    }: { notes: SymbolNotes; signal?: AbortSignal; progress?: (rows: number) => Promise<void> },
  ): Promise<FileReading> {
    const reading = await readNcsv(content, {
      batchRows,
      reusesMemory: true,
      maxSymbolLength: longestValue,
      // Files from before this rule can be restored unchanged.
      ...(file.isRestored ? {} : { symbolProblem: directionProblem }),
      ...(file.flags.skipMetadata ? {} : { maxMetadataLength: longestValue }),
    })
    const { header } = reading
    const columns = await matchColumns(file, header)
    const tracker = new IngestTracker(columns.value.length)
    const batches = mapBatches(file, reading, { tracker, notes, progress })
    if (header.dateColumn === undefined || columns.value.length === 0) {
      let rowCount = 0
      for await (const batch of batches) rowCount += batch.sids.length
      return { header, columns, tracker, rowCount, points: undefined }
    }
    const points = await engine.collect({
      columns: columns.value.map(({ id, type }) => ({ id, type })),
      batches,
      signal,
    })
    return { header, columns, tracker, rowCount: points.rowCount, points }
  }

  /** Maps symbols to ids and notes metadata while rows are read. */
  async function* mapBatches(
    file: IngestFile,
    { header, batches }: NcsvReading,
    {
      tracker,
      notes,
      progress,
    }: {
      tracker: IngestTracker
      notes: SymbolNotes
      progress: ((rows: number) => Promise<void>) | undefined
    },
  ): AsyncGenerator<PointBatch> {
    const metadata = file.flags.skipMetadata ? [] : header.metadataColumns
    let rows = 0
    for await (const batch of batches) {
      for (let at = 0; at < batch.newSymbols.length; at += symbolsPerStatement) {
        const tuples = batch.newSymbols.slice(at, at + symbolsPerStatement)
        tracker.addSymbols(await notes.addSymbols(tuples.map((tuple) => namedSymbol(header, tuple))))
      }
      if (metadata.length > 0) await noteMetadata(notes, metadata, batch, tracker)
      rows += batch.rowCount
      await progress?.(rows)
      if (header.dateColumn === undefined) continue
      const sids = tracker.addRows(batch)
      yield { rows: batch.lines, sids, timestamps: batch.timestamps, values: batch.values }
    }
  }

  async function noteMetadata(
    notes: SymbolNotes,
    columns: readonly NcsvColumn[],
    batch: NcsvBatch,
    tracker: IngestTracker,
  ): Promise<void> {
    const given = [...batch.metadata].map(([symbol, values]) => ({
      sid: tracker.sidOf(symbol),
      values: Object.fromEntries(
        columns.flatMap(({ name, type }, index) => {
          const value = values[index]
          if (value === null || value === undefined) return []
          const text = type === 'date' ? isoLocal(Number(value)) : String(value)
          return [[name, text] as const]
        }),
      ),
    }))
    for (let at = 0; at < given.length; at += symbolsPerStatement)
      await notes.addMetadata(given.slice(at, at + symbolsPerStatement))
  }

  /**
   * Returns the columns of a file with their ids, after checking their types against those of the group.
   * @param reserved an earlier result; its ids are reused for columns that are still unknown
   */
  async function matchColumns(
    file: IngestFile,
    header: NcsvHeader,
    reserved: readonly StoredColumn[] = [],
  ): Promise<MatchedColumns> {
    const { line } = header
    for (const column of [...header.symbolColumns, ...header.valueColumns, ...header.metadataColumns])
      checkNameLength(column, line)
    const metadata = file.flags.skipMetadata ? [] : header.metadataColumns
    checkCount(header.symbolColumns.length, maxSymbolKeys, 'symbol columns')
    checkCount(header.valueColumns.length, maxFileColumns, 'value columns')
    checkCount(metadata.length, maxFileColumns, 'metadata columns')
    const stored = await store.columns(file.groupId)
    const known = new Map(stored.value.map((column) => [column.name, column]))
    const knownMetadata = new Map(stored.metadata.map((column) => [column.name, column]))
    for (const column of header.valueColumns) checkType('value', column, known.get(column.name), line)
    for (const column of metadata) checkType('metadata', column, knownMetadata.get(column.name), line)
    const unknown = header.valueColumns.filter((column) => !known.has(column.name))
    if (unknown.length > 0 && known.size + unknown.length > maxGroupColumns)
      throw new IngestRefused(
        `The group has ${known.size.toLocaleString('en')} value columns and the file adds ${unknown.length.toLocaleString('en')} more; a group can have at most ${maxGroupColumns.toLocaleString('en')}. Upload the file to another group, or convert columns to symbols.`,
      )
    const idsByName = new Map(reserved.map(({ name, id }) => [name, id]))
    const unreserved = unknown.filter(({ name }) => !idsByName.has(name))
    const ids = unreserved.length === 0 ? [] : await store.reserveColumnIds(unreserved.length)
    for (const [index, { name }] of unreserved.entries()) idsByName.set(name, ids[index]!)
    const newValue = unknown.map(({ name, type }): StoredColumn => ({ id: idsByName.get(name)!, name, type }))
    const all = new Map([...known, ...newValue.map((column) => [column.name, column] as const)])
    return {
      value: header.valueColumns.map((column) => all.get(column.name)!),
      keyNames: header.symbolColumns.map((column) => column.name),
      metadata: metadata.map(({ name, type }) => ({ name, type })),
    }
  }

  return { read, matchColumns }
}

function namedSymbol(header: NcsvHeader, tuple: readonly string[]): NamedSymbol {
  const keys = Object.fromEntries(
    header.symbolColumns.flatMap(({ name }, index) =>
      tuple[index] === '' ? [] : [[name, tuple[index]!] as const],
    ),
  )
  return { digest: symbolDigest(keys), keys }
}

function checkType(
  kind: 'value' | 'metadata',
  column: NcsvColumn,
  stored: Omit<StoredColumn, 'id'> | undefined,
  line: number,
): void {
  if (stored === undefined || stored.type === column.type) return
  throw new IngestRefused(
    `Row ${line}, column ${column.index + 1} (${column.name}): the file has the type ${column.type} for this ${kind} column, but the group has ${stored.type}. Use the type ${stored.type} in the header, or another name.`,
  )
}

function checkCount(count: number, limit: number, what: string): void {
  if (count <= limit) return
  throw new IngestRefused(
    `The file has ${count.toLocaleString('en')} ${what}; at most ${limit.toLocaleString('en')} are allowed. Split the file, or move the distinction between columns into a symbol column.`,
  )
}

function checkNameLength({ name, index }: { name: string; index: number }, line: number): void {
  if (name.length <= longestName) return
  throw new IngestRefused(
    `Row ${line}, column ${index + 1} (${beginningOf(name, 40)}…): the name has ${name.length} characters; at most ${longestName} are allowed.`,
  )
}
