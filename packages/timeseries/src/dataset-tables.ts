import { clickhouseType } from './native-block.ts'
import { SeriesEngineError } from './series-engine-error.ts'
import type { ColumnSpec, ValueType } from './series-upload.ts'
import type { SqlConnection } from './sql-connection.ts'
import { quoteText } from './sql-text.ts'

/**
 * Facts about the points of a dataset up to a version, which save work in queries. They are conservative: bounds can be too
 * wide, and a possible property need not occur.
 */
export interface DatasetFacts {
  /** The facts hold for the points of all versions up to this one. */
  version: number
  /** Upper bound of the series numbers. */
  lastSid: number
  /** Upper bound of the timestamps, in UTC milliseconds. */
  lastTimestamp: number
  /** Whether two versions may have the same point. */
  mayRevise: boolean
  /** Whether a timestamp may have milliseconds. */
  mayHaveMilliseconds: boolean
  /** Whether a double may be extreme: see `ordinaryPower`. Absent if unknown. */
  mayHaveExtremes?: boolean
}

/** Database of all tables. */
export const database = 'series'

/** Returns the table of a dataset. Built from checked integers only. */
export const datasetTable = (dataset: number) => `${database}.dataset_${positiveInteger(dataset, 'dataset')}`
/** Returns the table of a staged version. */
export const stagingTable = (dataset: number, version: number) =>
  `${database}.staged_${positiveInteger(dataset, 'dataset')}_${positiveInteger(version, 'version')}`
/** Returns the column name of a value column. */
export const columnName = (column: number) => `c${positiveInteger(column, 'column')}`
/**
 * Returns the name of the column that contains the origin of a value: 0 if the value belongs to the version of its row,
 * otherwise the age of the version from which the row inherited it. Only datasets with inherited values have these columns.
 */
export const originName = (column: number) => `o${positiveInteger(column, 'column')}`

const typeByClickhouse = new Map<string, ValueType>(
  (['double', 'integer', 'string', 'date'] as const).map((type) => [clickhouseType(type), type]),
)

/** Returns the value. Throws a SeriesEngineError `invalid` unless it is a positive whole number. */
export function positiveInteger(value: number, name: string): number {
  if (!Number.isSafeInteger(value) || value <= 0) {
    throw new SeriesEngineError('invalid', `The ${name} is ${value}; it must be a whole number from 1.`)
  }
  return value
}

/** Caches the existing datasets and their columns. Columns are only ever added, so entries stay valid. */
export class DatasetTables {
  readonly #connection: SqlConnection
  readonly #columns = new Map<number, Map<number, ValueType>>()
  /** Columns with origins of each dataset, as of the last query of its columns. */
  readonly #origins = new Map<number, ReadonlySet<number>>()
  /** The version of a dataset that is being published without a staging table. */
  readonly #publishing = new Map<number, number>()

  constructor(connection: SqlConnection) {
    this.#connection = connection
  }

  /**
   * Returns the columns of a dataset by id; undefined if there is no such dataset. Queries the engine unless all requested
   * columns are cached, because other servers may have added columns.
   */
  async find(
    dataset: number,
    wanted: readonly ColumnSpec[] = [],
  ): Promise<Map<number, ValueType> | undefined> {
    const known = this.#columns.get(dataset)
    if (known && wanted.length > 0 && wanted.every((column) => known.has(column.id))) return known
    const rows = await this.#readColumns(datasetTable(dataset))
    if (rows.length === 0) {
      this.forget(dataset)
      return undefined
    }
    const columns = parseColumns(rows)
    this.#origins.set(dataset, new Set([...parseOrigins(rows), ...(this.#origins.get(dataset) ?? [])]))
    // Keeps columns that were added during the query.
    const all = new Map([...columns, ...(this.#columns.get(dataset) ?? [])])
    this.#columns.set(dataset, all)
    return all
  }

  /** Returns the columns whose values have an origin: see {@link originName}. Queries the engine. */
  async findOrigins(dataset: number): Promise<ReadonlySet<number>> {
    const columns = await this.find(dataset)
    return (columns && this.#origins.get(dataset)) ?? new Set()
  }

  /**
   * Creates the dataset and its columns if needed.
   * @param hasOrigins whether to return all columns instead of only the given ones, and to create their origins
   */
  async ensure(
    dataset: number,
    wanted: readonly ColumnSpec[],
    { hasOrigins }: { hasOrigins: boolean },
  ): Promise<Map<number, ValueType>> {
    let columns = await this.find(dataset, hasOrigins ? [] : wanted)
    if (!columns) {
      await this.#connection.run(createTableSql(datasetTable(dataset)))
      columns = new Map()
    }
    await this.#addColumns(datasetTable(dataset), columns, wanted)
    this.#columns.set(dataset, columns)
    if (hasOrigins) {
      const known = this.#origins.get(dataset) ?? new Set()
      await this.#addOrigins(datasetTable(dataset), known, columns.keys())
      this.#origins.set(dataset, new Set([...known, ...columns.keys()]))
    }
    return columns
  }

  /** Creates an empty staging table with the columns of its dataset, replacing an older one. */
  async createStaging(dataset: number, version: number): Promise<void> {
    await this.#connection.run(
      `CREATE OR REPLACE TABLE ${stagingTable(dataset, version)} AS ${datasetTable(dataset)}`,
    )
  }

  /**
   * Prepares publishing. Adds columns to the staging table that its dataset got in the meantime. Returns whether the version
   * is already visible, how many parts are staged (undefined without a staging table), and the facts of the dataset.
   */
  async alignStaging(
    dataset: number,
    version: number,
  ): Promise<{ isPublished: boolean; partCount?: number; isEmpty?: boolean; facts?: DatasetFacts }> {
    const names = { staging: nameOf(stagingTable(dataset, version)), dataset: nameOf(datasetTable(dataset)) }
    if (!(await this.find(dataset))) return { isPublished: false }
    const rows = await this.#connection.rows(
      `SELECT name, type, table,
        (SELECT toUInt32(count()) FROM system.parts WHERE active AND database = {database:String} AND table = {staging:String}) AS parts,
        (SELECT count() = 0 FROM system.parts WHERE active AND database = {database:String} AND table = {dataset:String}) AS empty,
        (SELECT any(comment) FROM system.tables WHERE database = {database:String} AND table = {dataset:String}) AS facts,
        (SELECT count() > 0 FROM (SELECT 1 FROM ${datasetTable(dataset)} WHERE age = -${version} LIMIT 1)) AS published
      FROM system.columns WHERE database = {database:String} AND table IN ({staging:String}, {dataset:String})`,
      { database, ...names },
    )
    const isPublished = Boolean(rows[0]?.published)
    const own = rows.filter((row) => row.table === names.staging)
    if (own.length === 0) return { isPublished }
    const published = rows.filter((row) => row.table === names.dataset)
    const wanted = parseColumns(published)
    await this.#addOrigins(stagingTable(dataset, version), parseOrigins(own), parseOrigins(published))
    await this.#addColumns(
      stagingTable(dataset, version),
      parseColumns(own),
      [...wanted].map(([id, type]) => ({ id, type })),
    )
    return {
      isPublished,
      partCount: Number(own[0]!.parts),
      isEmpty: Boolean(own[0]!.empty),
      facts: parseFacts(own[0]!.facts),
    }
  }

  /**
   * Returns the facts of a dataset; undefined if unknown. Always queries the engine, because another server may have
   * published.
   */
  async readFacts(dataset: number): Promise<DatasetFacts | undefined> {
    const [row] = await this.#connection.rows(
      'SELECT comment FROM system.tables WHERE database = {database:String} AND table = {table:String}',
      { database, table: nameOf(datasetTable(dataset)) },
    )
    return parseFacts(row?.comment)
  }

  /** Returns the newest visible version, 0 if there is none. A version that is being published does not count. */
  async newestVersion(dataset: number): Promise<number> {
    const name = nameOf(datasetTable(dataset))
    const rows = await this.#connection.rows(
      'SELECT name, comment FROM system.tables WHERE database = {database:String} AND (name = {table:String} OR startsWith(name, {staged:String}))',
      { database, table: name, staged: `staged_${dataset}_` },
    )
    const table = rows.find((row) => row.name === name)
    if (!table) return 0
    const facts = parseFacts(table.comment)
    if (facts === undefined) {
      const [row] = await this.#connection.rows(
        `SELECT toFloat64(-min(age)) AS version FROM ${datasetTable(dataset)}`,
      )
      return Number(row?.version)
    }
    // Publishing writes the facts before the points, and removes the staging table afterwards.
    if (this.#publishing.get(dataset) === facts.version) return facts.version - 1
    const staging = nameOf(stagingTable(dataset, facts.version))
    return rows.some((row) => row.name === staging) ? facts.version - 1 : facts.version
  }

  /** Returns whether a visible version is newer than this one. */
  async isNewerThan(dataset: number, version: number): Promise<boolean> {
    const rows = await this.#connection.rows(
      `SELECT 1 FROM ${datasetTable(dataset)} WHERE age < -${positiveInteger(version, 'version')} LIMIT 1`,
    )
    return rows.length > 0
  }

  /** Returns the facts of a dataset, or `no points`; undefined if unknown. */
  async readFactsOrNone(dataset: number): Promise<DatasetFacts | 'no points' | undefined> {
    const [row] = await this.#connection.rows(
      `SELECT comment,
        (SELECT count() = 0 FROM system.parts WHERE active AND database = {database:String} AND table = {table:String}) AS empty
      FROM system.tables WHERE database = {database:String} AND name = {table:String}`,
      { database, table: nameOf(datasetTable(dataset)) },
    )
    return row?.empty ? 'no points' : parseFacts(row?.comment)
  }

  /** Marks a version as being published; the returned function ends it. */
  beginPublishing(dataset: number, version: number): () => void {
    this.#publishing.set(dataset, version)
    return () => {
      if (this.#publishing.get(dataset) === version) this.#publishing.delete(dataset)
    }
  }

  /** Stores the facts as the comment of the table, so that they share its lifetime. */
  async writeFacts(dataset: number, facts: DatasetFacts): Promise<void> {
    await this.#connection.run(
      `ALTER TABLE ${datasetTable(dataset)} MODIFY COMMENT ${quoteText(JSON.stringify(facts))}`,
    )
  }

  forget(dataset: number): void {
    this.#columns.delete(dataset)
    this.#origins.delete(dataset)
  }

  async #addOrigins(table: string, known: ReadonlySet<number>, wanted: Iterable<number>): Promise<void> {
    const missing = [...wanted].filter((column) => !known.has(column))
    if (missing.length === 0) return
    const additions = missing.map(
      (column) => `ADD COLUMN IF NOT EXISTS ${originName(column)} Int64 CODEC(ZSTD(1))`,
    )
    await this.#connection.run(`ALTER TABLE ${table} ${additions.join(', ')}`)
  }

  async #addColumns(
    table: string,
    columns: Map<number, ValueType>,
    wanted: readonly ColumnSpec[],
  ): Promise<void> {
    const missing = wanted.filter((column) => !columns.has(column.id))
    if (missing.length > 0) {
      const additions = missing.map(
        ({ id, type }) => `ADD COLUMN IF NOT EXISTS ${columnName(id)} ${clickhouseType(type)} CODEC(ZSTD(1))`,
      )
      await this.#connection.run(`ALTER TABLE ${table} ${additions.join(', ')}`)
      for (const { id, type } of missing) columns.set(id, type)
    }
    for (const { id, type } of wanted) {
      if (columns.get(id) === type) continue
      throw new SeriesEngineError(
        'invalid',
        `Column ${id} holds values of type ${columns.get(id)}, not ${type}.`,
      )
    }
  }

  async #readColumns(table: string): Promise<Record<string, unknown>[]> {
    return this.#connection.rows(
      'SELECT name, type FROM system.columns WHERE database = {database:String} AND table = {table:String}',
      { database, table: nameOf(table) },
    )
  }
}

/** Returns the name of a table without its database. */
export function nameOf(table: string): string {
  return table.slice(database.length + 1)
}

/** Parses the facts in the comment of a dataset; undefined if there are none. */
export function parseFacts(comment: unknown): DatasetFacts | undefined {
  return typeof comment === 'string' && comment !== '' ? (JSON.parse(comment) as DatasetFacts) : undefined
}

function parseColumns(rows: readonly Record<string, unknown>[]): Map<number, ValueType> {
  const columns = new Map<number, ValueType>()
  for (const { name, type } of rows) {
    const valueType = typeByClickhouse.get(String(type))
    if (valueType && /^c\d+$/.test(String(name))) columns.set(Number(String(name).slice(1)), valueType)
  }
  return columns
}

function parseOrigins(rows: readonly Record<string, unknown>[]): Set<number> {
  return new Set(
    rows.flatMap(({ name }) => (/^o\d+$/.test(String(name)) ? Number(String(name).slice(1)) : [])),
  )
}

/**
 * All versions of a point are stored. `age` is the negated version, so that the newest version comes first and current
 * points can be read in table order. ReplacingMergeTree is unsuitable: it drops older values in merges, so they would be
 * lost when a newer version is removed. Parts below 32 MiB store all columns in one file, so that an upload syncs fewer
 * files.
 */
function createTableSql(table: string): string {
  return `CREATE TABLE IF NOT EXISTS ${table} (
    sid UInt32 CODEC(ZSTD(1)),
    ts DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
    age Int64 CODEC(DoubleDelta, ZSTD(1)),
    INDEX versions age TYPE minmax GRANULARITY 1
  ) ENGINE = MergeTree ORDER BY (sid, ts, age)
    SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 33554432`
}
