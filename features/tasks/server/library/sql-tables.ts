import { createWriteStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isUuid, parseJson } from '@headwater/contract'
import { problemOfTableName, type TableFormat } from '@headwater/sql'
import { dataQuery, type DataQuery } from '@headwater/symbols/contract'
import { bytesOf, convertTable, TableError, type ByteSource } from '@headwater/tables'
import { parseObjectValue, seriesValue } from '../../core/index.ts'
import type { TestWork } from '../task-kinds.ts'
import { openSource, type LibraryFiles } from './kind-parts.ts'
import type { SeriesQueries } from './query-series.ts'

/** A table of a SELECT. Its content can be read only once. */
export interface SqlTable {
  name: string
  format: TableFormat
  content: AsyncIterable<Uint8Array>
}

type Source = { kind: 'file' } | { kind: 'series'; query: DataQuery }

/** Inputs of a task, separated into tables and values of `{name:Type}`. */
export interface SqlInputs {
  /** Inputs that are tables, by name. */
  sources: ReadonlyMap<string, Source>
  /** Other inputs. */
  params: Readonly<Record<string, string | readonly string[]>>
}

/** Separates a task's own inputs into tables (files, series and data queries) and values. */
export function sqlInputs(inputs: Readonly<Record<string, string>>): SqlInputs {
  const sources = new Map<string, Source>()
  const params: Record<string, string | readonly string[]> = {}
  for (const [name, value] of Object.entries(inputs)) {
    const source = sourceOf(value)
    if (source !== undefined) sources.set(name, source)
    else if (/^[A-Za-z_]\w*$/.test(name)) params[name] = listItems(value) ?? value
  }
  return { sources, params }
}

/** Returns an error message for invalid table names or data queries. */
export function problemOfTables({ sources }: SqlInputs): string | undefined {
  for (const name of sources.keys()) {
    const problem = problemOfTableName(name)
    if (problem !== undefined) return problem
  }
  return undefined
}

/**
 * Opens the tables with the access of the run. CSV files and series are converted to Parquet, with types derived from all rows.
 * @throws the errors of a file that the user of the run cannot read
 */
export async function openTables(
  { files, symbols }: { files: LibraryFiles; symbols: SeriesQueries },
  work: TestWork,
  { sources }: SqlInputs,
): Promise<SqlTable[]> {
  const tables: SqlTable[] = []
  for (const [name, source] of sources) {
    if (source.kind === 'series')
      tables.push({ name, format: 'Parquet', content: seriesTable(symbols, work, source.query) })
    else {
      const { fileName, source: bytes } = await openSource(files, work, name)
      tables.push({ name, ...(await fileTable(fileName, bytes, work.signal)) })
    }
  }
  return tables
}

function sourceOf(value: string): Source | undefined {
  const json = parseJson(value)
  const series = seriesValue.safeParse(json).data
  if (series !== undefined) {
    const key = { groupName: series.groupName, symbols: series.symbols, columns: [series.column] }
    return { kind: 'series', query: dataQuery.parse({ keys: [key] }) }
  }
  if (typeof json === 'object' && json !== null && 'keys' in json) {
    const query = dataQuery.safeParse(json).data
    return query === undefined ? undefined : { kind: 'series', query }
  }
  const isObject = typeof json === 'object' && json !== null && parseObjectValue(value)?.id !== value.trim()
  return isObject || isUuid(value.trim()) ? { kind: 'file' } : undefined
}

/** Returns the items of a list of strings, which becomes an array in the engine. */
function listItems(value: string): string[] | undefined {
  const json = value.trim().startsWith('[') ? parseJson(value) : undefined
  return Array.isArray(json) && json.every((item) => typeof item === 'string') ? json : undefined
}

async function fileTable(
  fileName: string,
  source: ByteSource,
  signal: AbortSignal,
): Promise<Pick<SqlTable, 'format' | 'content'>> {
  const extension = /\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? ''
  const start = Buffer.from(await source.read(0, Math.min(4, source.sizeBytes))).toString('latin1')
  if (start === 'PAR1') return { format: 'Parquet', content: bytesOf(source) }
  if (['json', 'jsonl', 'ndjson'].includes(extension)) return { format: 'JSON', content: bytesOf(source) }
  if (start.startsWith('PK'))
    throw new TableError(
      `“${fileName}” is a ZIP archive or an XLSX workbook. Convert it to CSV with the task Convert file first.`,
    )
  return { format: 'Parquet', content: convertTable(source, { formats: 'CSV to Parquet' }, signal) }
}

/** Renames the column `Date(UTC)` in the first line to `Date`, because all times in a SELECT are in UTC. */
async function* withPlainDate(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of chunks) {
    if (start === undefined) {
      yield chunk
      continue
    }
    start = Buffer.concat([start, chunk])
    const end = start.indexOf(10)
    if (end < 0) continue
    yield Buffer.from(
      start
        .subarray(0, end)
        .toString()
        .replace(/(?<=^|,)Date\(UTC\)(?=,|$)/, 'Date'),
    )
    yield start.subarray(end)
    start = undefined
  }
  if (start !== undefined) yield start
}

/** Yields the points of a data query as Parquet. The conversion reads them twice, so they are stored temporarily. */
async function* seriesTable(
  symbols: SeriesQueries,
  { principal, signal }: TestWork,
  query: DataQuery,
): AsyncGenerator<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'sql-series-'))
  const path = join(folder, 'points.csv')
  try {
    const slot = await symbols.acquireSlot(principal, query, signal)
    try {
      const result = await symbols.data.run(principal, query, { signal: slot.signal })
      await pipeline(withPlainDate(result.stream), createWriteStream(path))
    } finally {
      slot.end()
    }
    const file = await open(path)
    try {
      const { size } = await file.stat()
      const source: ByteSource = {
        sizeBytes: size,
        async read(start, end) {
          const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start)
          return buffer.subarray(0, bytesRead)
        },
      }
      yield* convertTable(source, { formats: 'CSV to Parquet' }, signal)
    } finally {
      await file.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
