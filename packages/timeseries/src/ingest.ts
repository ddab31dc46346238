import { earliestMs, latestMs } from './calendar-time.ts'
import {
  columnName,
  datasetTable,
  positiveInteger,
  stagingTable,
  type DatasetFacts,
  type DatasetTables,
} from './dataset-tables.ts'
import {
  bytesOf,
  clickhouseType,
  encodeInt64,
  encodeNativeBlock,
  encodeRowNumbers,
  encodeValues,
} from './native-block.ts'
import {
  SeriesEngineError,
  type ColumnSpec,
  type PointBatch,
  type StageRequest,
  type StageResult,
  type ValueType,
  type VersionFact,
} from './series-engine.ts'
import type { SqlConnection, Upload } from './sql-connection.ts'
import { quoteTimestamp } from './sql-text.ts'

/** Keeps a statement short: some 100 kB. */
const seriesPerStatement = 10_000

/** Writing side of the engine: see the functions of SeriesEngine. */
export class Ingest {
  readonly #connection: SqlConnection
  readonly #tables: DatasetTables
  /** By staging table, as long as it is staged. */
  readonly #staged = new Map<string, StagedFacts>()

  constructor(connection: SqlConnection, tables: DatasetTables) {
    this.#connection = connection
    this.#tables = tables
  }

  async stage({
    dataset,
    version,
    columns,
    batches,
    mode = 'replace',
    signal,
  }: StageRequest): Promise<StageResult> {
    checkColumns(columns)
    const target = stagingTable(dataset, version)
    const seen: UploadFacts = {
      rows: 0,
      first: latestMs,
      last: earliestMs,
      isSorted: true,
      sid: 0,
      timestamp: 0,
    }
    let upload: Upload | undefined
    // The engine makes the tables while the first rows are read.
    const preparing = this.#prepare(dataset, version, columns)
    preparing.catch(() => {})
    try {
      upload = await this.#connection.upload(
        structureOf(columns),
        encodeBatches(columns, batches, seen, signal),
      )
      const stored = await preparing
      if (seen.rows === 0) return { rowsRead: 0, rowsStaged: 0 }
      const isCountKnown = mode === 'replace' && seen.isSorted
      if (!isCountKnown) await this.#checkArrival(upload, seen.rows)
      await this.#connection.run(
        insertSql({ dataset, version, columns, stored, source: upload.source, mode, seen }),
      )
      const staged = await this.#describeStaged(target)
      if (isCountKnown ? staged.rows !== seen.rows : mode === 'replace' && staged.rows === 0) {
        throw lostRows(seen.rows, staged.rows)
      }
      const firstRepeat =
        seen.isSorted || staged.rows === seen.rows ? undefined : await this.#findRepeat(upload.source)
      return {
        rowsRead: seen.rows,
        rowsStaged: staged.rows,
        ...(firstRepeat === undefined ? {} : { firstRepeat }),
        ...(staged.rows > 0 ? { firstTimestamp: staged.first, lastTimestamp: staged.last } : {}),
      }
    } catch (error) {
      await preparing.catch(() => {})
      await this.discard(dataset, version).catch(() => {})
      throw error
    } finally {
      await upload?.drop()
    }
  }

  async publish(dataset: number, version: number): Promise<void> {
    const staging = stagingTable(dataset, version)
    const { partCount, isPublished, isEmpty, facts } = await this.#tables.alignStaging(dataset, version)
    if (isPublished) {
      await this.discard(dataset, version)
      return
    }
    if (partCount === undefined) {
      throw new SeriesEngineError(
        'not-staged',
        `Version ${version} of dataset ${dataset} is not staged; stage it again.`,
      )
    }
    if (partCount > 1) {
      await this.#connection.run(`OPTIMIZE TABLE ${staging} FINAL SETTINGS optimize_throw_if_noop = 1`)
    }
    if (partCount > 0) {
      const staged = this.#staged.get(staging) ?? (await this.#describeStaged(staging))
      // Before the points come: facts that know too much of them are still true of fewer.
      await this.#tables.writeFacts(dataset, addToFacts(isEmpty ? noPoints : facts, version, staged))
      await this.#connection.run(
        `ALTER TABLE ${staging} MOVE PARTITION tuple() TO TABLE ${datasetTable(dataset)}`,
      )
    }
    await this.discard(dataset, version)
  }

  /** Between which numbers the series of a staged version are; undefined if that is not known any more. */
  stagedSeries(dataset: number, version: number): { firstSid: number; lastSid: number } | undefined {
    return this.#staged.get(stagingTable(dataset, version))
  }

  async discard(dataset: number, version: number): Promise<void> {
    this.#staged.delete(stagingTable(dataset, version))
    await this.#connection.run(`DROP TABLE IF EXISTS ${stagingTable(dataset, version)} SYNC`)
  }

  async remove(dataset: number, version: number): Promise<void> {
    positiveInteger(version, 'version')
    if (!(await this.#tables.find(dataset))) return
    await this.#connection.run(
      `DELETE FROM ${datasetTable(dataset)} WHERE age = -${version} SETTINGS lightweight_deletes_sync = 2`,
    )
  }

  async removeSeries(dataset: number, sids: readonly number[]): Promise<void> {
    for (const sid of sids) positiveInteger(sid, 'series')
    if (!(await this.#tables.find(dataset))) return
    for (let at = 0; at < sids.length; at += seriesPerStatement) {
      const list = sids.slice(at, at + seriesPerStatement).join(', ')
      await this.#connection.run(
        `DELETE FROM ${datasetTable(dataset)} WHERE sid IN (${list}) SETTINGS lightweight_deletes_sync = 2`,
      )
    }
  }

  async listVersions(dataset: number): Promise<VersionFact[]> {
    if (!(await this.#tables.find(dataset))) return []
    const rows = await this.#connection.rows(
      `SELECT toString(-age) AS version, toString(count()) AS rows FROM ${datasetTable(dataset)} GROUP BY age ORDER BY age DESC`,
    )
    return rows.map((row) => ({ version: Number(row.version), rows: Number(row.rows) }))
  }

  async dropDataset(dataset: number): Promise<void> {
    await this.#connection.run(`DROP TABLE IF EXISTS ${datasetTable(dataset)} SYNC`)
    this.#tables.forget(dataset)
  }

  /** Makes the tables an upload needs; gives the columns of the dataset. */
  async #prepare(dataset: number, version: number, columns: readonly ColumnSpec[]) {
    const stored = await this.#tables.ensure(dataset, columns)
    await this.#tables.createStaging(dataset, version)
    return stored
  }

  /** Some ways to insert report success and write nothing, so what arrived is counted. */
  async #checkArrival(upload: Upload, sent: number): Promise<void> {
    const [row] = await this.#connection.rows(`SELECT toFloat64(count()) AS rows FROM ${upload.source}`)
    if (row?.rows !== sent) throw lostRows(sent, Number(row?.rows))
  }

  async #findRepeat(source: string): Promise<StageResult['firstRepeat']> {
    const [row] = await this.#connection.rows(
      `SELECT toFloat64(seq) AS row, toFloat64(sid) AS sid, toFloat64(toUnixTimestamp64Milli(ts)) AS timestamp
      FROM (SELECT sid, ts, seq FROM ${source} ORDER BY sid, ts, seq LIMIT 1 OFFSET 1 BY sid, ts)
      ORDER BY seq LIMIT 1`,
    )
    return row as StageResult['firstRepeat']
  }

  async #describeStaged(table: string): Promise<StagedFacts> {
    const [row] = await this.#connection.rows(
      `SELECT toFloat64(count()) AS rows, toFloat64(min(sid)) AS firstSid, toFloat64(max(sid)) AS lastSid,
        toFloat64(min(toUnixTimestamp64Milli(ts))) AS first, toFloat64(max(toUnixTimestamp64Milli(ts))) AS last,
        max(toUnixTimestamp64Milli(ts) % 1000 != 0) > 0 AS mayHaveMilliseconds
      FROM ${table}`,
    )
    const staged = { ...row, mayHaveMilliseconds: Boolean(row?.mayHaveMilliseconds) } as StagedFacts
    this.#staged.set(table, staged)
    return staged
  }
}

/** What a staging table holds. */
interface StagedFacts {
  rows: number
  firstSid: number
  lastSid: number
  first: number
  last: number
  mayHaveMilliseconds: boolean
}

const noPoints: DatasetFacts = {
  version: 0,
  lastSid: 0,
  lastTimestamp: earliestMs - 1,
  mayRevise: false,
  mayHaveMilliseconds: false,
}

/** Facts of a dataset with one more version; undefined facts stand for points nothing is known of. */
function addToFacts(facts: DatasetFacts | undefined, version: number, staged: StagedFacts): DatasetFacts {
  const isApart =
    facts !== undefined && (staged.firstSid > facts.lastSid || staged.first > facts.lastTimestamp)
  return {
    version,
    lastSid: Math.max(facts?.lastSid ?? 0, staged.lastSid),
    lastTimestamp: Math.max(facts?.lastTimestamp ?? earliestMs, staged.last),
    mayRevise: !isApart || facts.mayRevise,
    mayHaveMilliseconds: staged.mayHaveMilliseconds || (facts?.mayHaveMilliseconds ?? true),
  }
}

function lostRows(sent: number, arrived: number): SeriesEngineError {
  return new SeriesEngineError('failed', `Of ${sent} rows only ${arrived} arrived in the series engine.`)
}

/** What was seen of an upload while it went by. */
interface UploadFacts {
  rows: number
  first: number
  last: number
  /** True as long as every row came strictly after the one before by (series, timestamp): no sorting, no duplicates. */
  isSorted: boolean
  /** The latest row. */
  sid: number
  timestamp: number
}

async function* encodeBatches(
  columns: readonly ColumnSpec[],
  batches: StageRequest['batches'],
  seen: UploadFacts,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  for await (const batch of batches) {
    signal?.throwIfAborted()
    checkBatch(columns, batch, seen)
    const rowCount = batch.sids.length
    if (rowCount === 0) continue
    yield encodeNativeBlock(rowCount, [
      { name: 'seq', type: 'UInt64', bytes: [rowNumbersOf(batch, seen.rows)] },
      { name: 'sid', type: 'UInt32', bytes: [bytesOf(batch.sids)] },
      { name: 'ts', type: "DateTime64(3, 'UTC')", bytes: [encodeInt64(batch.timestamps)] },
      ...columns.map(({ id, type }, index) => ({
        name: columnName(id),
        type: clickhouseType(type),
        bytes: encodeValues(type, batch.values[index]!),
      })),
    ])
    seen.rows += rowCount
  }
}

/** Rows of a batch that is a part of an upload bring their numbers along. */
function rowNumbersOf(batch: PointBatch & { rows?: Float64Array }, first: number): Uint8Array {
  return batch.rows ? encodeInt64(batch.rows) : encodeRowNumbers(first, batch.sids.length)
}

function checkColumns(columns: readonly ColumnSpec[]): void {
  for (const { id } of columns) columnName(id)
  if (new Set(columns.map((column) => column.id)).size < columns.length) {
    throw new SeriesEngineError('invalid', 'A column stands in the upload twice.')
  }
}

function checkBatch(columns: readonly ColumnSpec[], batch: PointBatch, seen: UploadFacts): void {
  const rowCount = batch.sids.length
  const lengths = [batch.timestamps.length, ...batch.values.map((values) => values.length)]
  if (batch.values.length !== columns.length || lengths.some((length) => length !== rowCount)) {
    throw new SeriesEngineError(
      'invalid',
      'A batch has columns of different lengths or of another number than the upload.',
    )
  }
  for (let row = 0; row < rowCount; row++) {
    const timestamp = batch.timestamps[row]!
    if (!(timestamp >= earliestMs && timestamp <= latestMs) || batch.sids[row] === 0) {
      throw new SeriesEngineError(
        'invalid',
        `Row ${seen.rows + row + 1} has series ${batch.sids[row]} and timestamp ${timestamp}; allowed are series from 1 and the years 1900 to 2299.`,
      )
    }
    if (timestamp < seen.first) seen.first = timestamp
    if (timestamp > seen.last) seen.last = timestamp
    const sid = batch.sids[row]!
    if (sid < seen.sid || (sid === seen.sid && timestamp <= seen.timestamp)) seen.isSorted = false
    seen.sid = sid
    seen.timestamp = timestamp
  }
}

function structureOf(columns: readonly ColumnSpec[]): string {
  return ['seq UInt64', 'sid UInt32', "ts DateTime64(3, 'UTC')"]
    .concat(columns.map(({ id, type }) => `${columnName(id)} ${clickhouseType(type)}`))
    .join(', ')
}

/** Sorts the upload, keeps the last of equal points, and with modes that compare joins what is stored. */
function insertSql(upload: {
  dataset: number
  version: number
  columns: readonly ColumnSpec[]
  stored: Map<number, ValueType>
  source: string
  mode: NonNullable<StageRequest['mode']>
  seen: UploadFacts
}): string {
  const given = upload.columns.map((column) => columnName(column.id))
  const all = [...upload.stored.keys()].map(columnName)
  const isGiven = new Set(given)
  const order = upload.seen.isSorted ? '' : 'ORDER BY sid, ts, seq DESC LIMIT 1 BY sid, ts'
  const fresh = `SELECT ${['sid', 'ts', ...given].join(', ')} FROM ${upload.source} ${order}`
  const target = stagingTable(upload.dataset, upload.version)
  const age = `toInt64(-${upload.version})`
  const settings = `SETTINGS max_insert_threads = 1, min_insert_block_size_rows = 1048576, min_insert_block_size_bytes = 268435456`
  if (upload.mode === 'replace' || all.length === 0) {
    // Without a column nothing is given and nothing differs.
    const condition = upload.mode === 'replace' ? '' : 'WHERE 0'
    return `INSERT INTO ${target} (${['sid', 'ts', 'age', ...given].join(', ')})
      SELECT ${['sid', 'ts', age, ...given].join(', ')} FROM (${fresh}) ${condition} ${settings}`
  }
  const latest = `SELECT ${['sid', 'ts', ...all].join(', ')} FROM ${datasetTable(upload.dataset)}
    WHERE ts BETWEEN ${quoteTimestamp(upload.seen.first)} AND ${quoteTimestamp(upload.seen.last)}
      AND sid IN (SELECT sid FROM ${upload.source})
    ORDER BY sid, ts, age LIMIT 1 BY sid, ts`
  const isPartial = upload.mode === 'partial'
  const values = all.map((name) => {
    if (!isGiven.has(name)) return isPartial ? `stored.${name}` : 'NULL'
    return isPartial ? `coalesce(fresh.${name}, stored.${name})` : `fresh.${name}`
  })
  const conditions = isPartial
    ? given.map((name) => `isNotNull(fresh.${name})`)
    : all.map((name) =>
        isGiven.has(name) ? `isDistinctFrom(fresh.${name}, stored.${name})` : `isNotNull(stored.${name})`,
      )
  return `INSERT INTO ${target} (${['sid', 'ts', 'age', ...all].join(', ')})
    SELECT ${['fresh.sid', 'fresh.ts', age, ...values].join(', ')}
    FROM (${fresh}) AS fresh LEFT JOIN (${latest}) AS stored ON fresh.sid = stored.sid AND fresh.ts = stored.ts
    WHERE ${conditions.join(' OR ') || '0'}
    ${settings}, join_use_nulls = 1, join_algorithm = 'full_sorting_merge'`
}
