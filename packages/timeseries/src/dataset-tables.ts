import { clickhouseType } from './native-block.ts'
import { SeriesEngineError, type ColumnSpec, type ValueType } from './series-engine.ts'
import type { SqlConnection } from './sql-connection.ts'
import { quoteText } from './sql-text.ts'

/**
 * What is known of the points of a dataset up to a version, so that a question may be answered with less work. It errs on the safe
 * side only: bounds may be too wide, and what may be there need not be.
 */
export interface DatasetFacts {
  /** It holds for the points of all versions up to this one. */
  version: number
  /** No series is beyond it. */
  lastSid: number
  /** No timestamp is beyond it, in UTC milliseconds. */
  lastTimestamp: number
  /** Whether two versions may have the same point. */
  mayRevise: boolean
  /** Whether a timestamp may have milliseconds. */
  mayHaveMilliseconds: boolean
  /** Whether a double may not be ordinary: see `ordinaryPower`. Absent where it is not known. */
  mayHaveExtremes?: boolean
}

/** The database all tables stand in. */
export const database = 'series'

/** Name of the table of a dataset, of a staged version, of a column. Made of checked integers only. */
export const datasetTable = (dataset: number) => `${database}.dataset_${positiveInteger(dataset, 'dataset')}`
export const stagingTable = (dataset: number, version: number) =>
  `${database}.staged_${positiveInteger(dataset, 'dataset')}_${positiveInteger(version, 'version')}`
export const columnName = (column: number) => `c${positiveInteger(column, 'column')}`

const typeByClickhouse = new Map<string, ValueType>(
  (['double', 'integer', 'string', 'date'] as const).map((type) => [clickhouseType(type), type]),
)

/** @throws SeriesEngineError `invalid` unless it is a positive whole number. */
export function positiveInteger(value: number, name: string): number {
  if (!Number.isSafeInteger(value) || value <= 0) {
    throw new SeriesEngineError('invalid', `The ${name} is ${value}; allowed are whole numbers from 1.`)
  }
  return value
}

/** Which datasets exist with which columns; columns are only ever added, so what is known stays true. */
export class DatasetTables {
  readonly #connection: SqlConnection
  readonly #columns = new Map<number, Map<number, ValueType>>()
  /** The version of a dataset that goes into it without a staging table. */
  readonly #publishing = new Map<number, number>()

  constructor(connection: SqlConnection) {
    this.#connection = connection
  }

  /** Columns of a dataset by id; undefined if there is no such dataset. Asks the engine unless all wanted ones are known; other servers may have added more. */
  async find(
    dataset: number,
    wanted: readonly ColumnSpec[] = [],
  ): Promise<Map<number, ValueType> | undefined> {
    const known = this.#columns.get(dataset)
    if (known && wanted.length > 0 && wanted.every((column) => known.has(column.id))) return known
    const columns = await this.#readColumns(datasetTable(dataset))
    if (columns === undefined) {
      this.#columns.delete(dataset)
      return undefined
    }
    // Columns that were added while this was on its way are not lost.
    const all = new Map([...columns, ...(this.#columns.get(dataset) ?? [])])
    this.#columns.set(dataset, all)
    return all
  }

  /**
   * Makes the dataset and its columns if need be.
   * @param isWhole all columns are asked for, not only the wanted ones
   */
  async ensure(
    dataset: number,
    wanted: readonly ColumnSpec[],
    { isWhole }: { isWhole: boolean },
  ): Promise<Map<number, ValueType>> {
    let columns = await this.find(dataset, isWhole ? [] : wanted)
    if (!columns) {
      await this.#connection.run(createTableSql(datasetTable(dataset)))
      columns = new Map()
    }
    await this.#addColumns(datasetTable(dataset), columns, wanted)
    this.#columns.set(dataset, columns)
    return columns
  }

  /**
   * Makes an empty staging table of the shape of its dataset, in place of an older one.
   */
  async createStaging(dataset: number, version: number): Promise<void> {
    await this.#connection.run(
      `CREATE OR REPLACE TABLE ${stagingTable(dataset, version)} AS ${datasetTable(dataset)}`,
    )
  }

  /**
   * What stands in the way of publishing: whether the version is visible already, how many parts are staged (undefined if
   * nothing is), and what the dataset holds. Gives the staging table the columns its dataset got meanwhile.
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
    const wanted = parseColumns(rows.filter((row) => row.table === names.dataset))
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

  /** What is known of the points of a dataset; undefined if nothing is. Another server may have published meanwhile, so it is asked for. */
  async readFacts(dataset: number): Promise<DatasetFacts | undefined> {
    const [row] = await this.#connection.rows(
      'SELECT comment FROM system.tables WHERE database = {database:String} AND table = {table:String}',
      { database, table: nameOf(datasetTable(dataset)) },
    )
    return parseFacts(row?.comment)
  }

  /** The newest version that is visible, 0 if there is none. One that is about to become visible does not count. */
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
    // Its facts come before its points, and its staging table goes after them.
    if (this.#publishing.get(dataset) === facts.version) return facts.version - 1
    const staging = nameOf(stagingTable(dataset, facts.version))
    return rows.some((row) => row.name === staging) ? facts.version - 1 : facts.version
  }

  /** Whether a version that is visible is newer than this one. */
  async isNewerThan(dataset: number, version: number): Promise<boolean> {
    const rows = await this.#connection.rows(
      `SELECT 1 FROM ${datasetTable(dataset)} WHERE age < -${positiveInteger(version, 'version')} LIMIT 1`,
    )
    return rows.length > 0
  }

  /** What is known of the points of a dataset, or that it has no points. */
  async readFactsOrNone(dataset: number): Promise<DatasetFacts | 'no points' | undefined> {
    const [row] = await this.#connection.rows(
      `SELECT comment,
        (SELECT count() = 0 FROM system.parts WHERE active AND database = {database:String} AND table = {table:String}) AS empty
      FROM system.tables WHERE database = {database:String} AND name = {table:String}`,
      { database, table: nameOf(datasetTable(dataset)) },
    )
    return row?.empty ? 'no points' : parseFacts(row?.comment)
  }

  /** Notes which version is about to become visible; the answer ends it. */
  beginPublishing(dataset: number, version: number): () => void {
    this.#publishing.set(dataset, version)
    return () => {
      if (this.#publishing.get(dataset) === version) this.#publishing.delete(dataset)
    }
  }

  /** Keeps the facts as the comment of the table, where they live and die with it. */
  async writeFacts(dataset: number, facts: DatasetFacts): Promise<void> {
    await this.#connection.run(
      `ALTER TABLE ${datasetTable(dataset)} MODIFY COMMENT ${quoteText(JSON.stringify(facts))}`,
    )
  }

  forget(dataset: number): void {
    this.#columns.delete(dataset)
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

  async #readColumns(table: string): Promise<Map<number, ValueType> | undefined> {
    const rows = await this.#connection.rows(
      'SELECT name, type FROM system.columns WHERE database = {database:String} AND table = {table:String}',
      { database, table: nameOf(table) },
    )
    return rows.length === 0 ? undefined : parseColumns(rows)
  }
}

/** Name of a table without that of the database. */
export function nameOf(table: string): string {
  return table.slice(database.length + 1)
}

/** The facts that the comment of a dataset says; undefined if it says none. */
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

/**
 * Versions of a point stand side by side. `age` is the version with its sign turned, so that the newest comes first and the
 * current points can be read in the order of the table. Not a ReplacingMergeTree: there, taking a version back would lose the
 * older values that merges have dropped. Parts below 32 MiB keep all columns in one file: fewer files to sync per upload.
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
