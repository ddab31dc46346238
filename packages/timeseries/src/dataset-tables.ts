import { clickhouseType } from './native-block.ts'
import { SeriesEngineError, type ColumnSpec, type ValueType } from './series-engine.ts'
import type { SqlConnection } from './sql-connection.ts'

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

  constructor(connection: SqlConnection) {
    this.#connection = connection
  }

  /** Columns of a dataset by id; undefined if there is no such dataset. Asks the engine unless all wanted ones are known. */
  async find(
    dataset: number,
    wanted: readonly ColumnSpec[] = [],
  ): Promise<Map<number, ValueType> | undefined> {
    const known = this.#columns.get(dataset)
    if (known && wanted.every((column) => known.has(column.id))) return known
    const columns = await this.#readColumns(datasetTable(dataset))
    if (columns) this.#columns.set(dataset, columns)
    else this.#columns.delete(dataset)
    return columns
  }

  /** Makes the dataset and its columns if need be. */
  async ensure(dataset: number, wanted: readonly ColumnSpec[]): Promise<Map<number, ValueType>> {
    let columns = await this.find(dataset, wanted)
    if (!columns) {
      await this.#connection.run(createTableSql(datasetTable(dataset)))
      columns = new Map()
    }
    await this.#addColumns(datasetTable(dataset), columns, wanted)
    this.#columns.set(dataset, columns)
    return columns
  }

  /** Gives a staging table the columns its dataset got meanwhile, as only tables of the same shape can exchange rows. */
  async align(table: string, dataset: number): Promise<void> {
    const columns = await this.#readColumns(datasetTable(dataset))
    const own = await this.#readColumns(table)
    if (!columns || !own) return
    await this.#addColumns(
      table,
      own,
      [...columns].map(([id, type]) => ({ id, type })),
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
      { database, table: table.slice(database.length + 1) },
    )
    if (rows.length === 0) return undefined
    const columns = new Map<number, ValueType>()
    for (const { name, type } of rows) {
      const valueType = typeByClickhouse.get(String(type))
      if (valueType && /^c\d+$/.test(String(name))) columns.set(Number(String(name).slice(1)), valueType)
    }
    return columns
  }
}

/**
 * Versions of a point stand side by side, the newest last. Not a ReplacingMergeTree: there, taking a version back would lose the
 * older values that merges have dropped.
 */
function createTableSql(table: string): string {
  return `CREATE TABLE IF NOT EXISTS ${table} (
    sid UInt32 CODEC(ZSTD(1)),
    ts DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
    ver Int64 CODEC(DoubleDelta, ZSTD(1))
  ) ENGINE = MergeTree ORDER BY (sid, ts, ver) SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`
}
