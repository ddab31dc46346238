import { randomUUID } from 'node:crypto'
import {
  database,
  datasetTable,
  nameOf,
  parseFacts,
  positiveInteger,
  type DatasetFacts,
} from './dataset-tables.ts'
import { createRollUpSql, type RollUp } from './roll-up-sql.ts'
import type { ValueType } from './series-upload.ts'
import type { SqlConnection } from './sql-connection.ts'
import { quoteText } from './sql-text.ts'

/** Prefix of roll-up tables. */
export const rollUpPrefix = 'rollup_'

/** Description of a complete roll-up, stored as the comment of its table. */
export interface RollUpNote {
  /** Newest version that the roll-up covers; it covers all older ones, too. */
  version: number
  /** Source of the points; the roll-up is valid while it is unchanged: see {@link RollUpState}. */
  source: string
  /** Ids of its columns. */
  columns: readonly number[]
}

/** A dataset and its roll-ups. */
export interface RollUpState {
  /** Facts of the dataset; undefined if unknown. */
  facts: DatasetFacts | undefined
  /**
   * Id of the table and of its last mutation. Removing points is a mutation, so the source changes with each removal.
   */
  source: string
  /** Whether a removal of points is in progress. */
  isChanging: boolean
  /** All roll-up tables; incomplete ones have no note. */
  rollUps: readonly { table: string; note: RollUpNote | undefined }[]
}

/**
 * The roll-up tables. A complete roll-up never changes: a newer one replaces it. Only the engine, which all servers share,
 * stores which roll-ups are usable.
 */
export class RollUpTables {
  readonly #connection: SqlConnection

  constructor(connection: SqlConnection) {
    this.#connection = connection
  }

  /** Returns the roll-ups of a dataset; undefined if there is no such dataset. */
  async read(dataset: number): Promise<RollUpState | undefined> {
    const table = nameOf(datasetTable(dataset))
    const rows = await this.#connection.rows(
      `SELECT name, comment, toString(uuid) AS id, toUInt8(1) AS isDone FROM system.tables
        WHERE database = {database:String} AND (name = {table:String} OR startsWith(name, {prefix:String}))
      UNION ALL SELECT '', mutation_id, '', is_done FROM system.mutations WHERE database = {database:String} AND table = {table:String}`,
      { database, table, prefix: prefixOf(dataset) },
    )
    const own = rows.find(({ name }) => name === table)
    if (!own) return undefined
    const mutations = rows.filter(({ name }) => name === '')
    const last = Math.max(0, ...mutations.map(({ comment }) => Number(/\d+/.exec(String(comment))?.[0] ?? 0)))
    return {
      facts: parseFacts(own.comment),
      source: `${String(own.id)} ${last}`,
      isChanging: mutations.some(({ isDone }) => !isDone),
      rollUps: rows
        .filter(({ name }) => name !== table && name !== '')
        .map(({ name, comment }) => ({
          table: `${database}.${String(name)}`,
          note: comment === '' ? undefined : (JSON.parse(String(comment)) as RollUpNote),
        })),
    }
  }

  /** Creates an empty table that is not used until it is finished. */
  async create(dataset: number, columns: readonly { id: number; type: ValueType }[]): Promise<string> {
    const table = `${database}.${prefixOf(dataset)}${randomUUID().replaceAll('-', '')}`
    await this.#connection.run(createRollUpSql(table, columns))
    return table
  }

  /** Marks a table as complete. */
  async finish(table: string, note: RollUpNote): Promise<void> {
    await this.#connection.run(`ALTER TABLE ${table} MODIFY COMMENT ${quoteText(JSON.stringify(note))}`)
  }

  async drop(table: string): Promise<void> {
    await this.#connection.run(`DROP TABLE IF EXISTS ${table}`)
  }

  /** Drops all roll-ups of a dataset, including incomplete ones. */
  async dropAll(dataset: number): Promise<void> {
    const rows = await this.#connection.rows(
      'SELECT name FROM system.tables WHERE database = {database:String} AND startsWith(name, {prefix:String})',
      { database, prefix: prefixOf(dataset) },
    )
    for (const { name } of rows) await this.drop(`${database}.${String(name)}`)
  }

  /** Returns datasets of at least this many rows, and those that have roll-ups. */
  async candidates(leastRows: number): Promise<number[]> {
    const rows = await this.#connection.rows(
      `SELECT table AS name FROM system.parts WHERE active AND database = {database:String} AND startsWith(table, 'dataset_')
        GROUP BY table HAVING sum(rows) >= {least:UInt64}
      UNION ALL SELECT name FROM system.tables WHERE database = {database:String} AND startsWith(name, '${rollUpPrefix}')`,
      { database, least: leastRows },
    )
    return [...new Set(rows.map(({ name }) => Number(String(name).split('_')[1])))]
  }
}

/** Returns the valid roll-up that covers the most versions. Does not check whether there are newer versions. */
export function usableRollUp({ source, rollUps }: RollUpState): RollUp | undefined {
  const [newest] = rollUps
    .flatMap(({ table, note }) => (note?.source === source ? [{ table, note }] : []))
    .sort((a, b) => b.note.version - a.note.version)
  if (!newest) return undefined
  const { table, note } = newest
  return { table, version: note.version, columns: new Set(note.columns), isBehind: false }
}

function prefixOf(dataset: number): string {
  return `${rollUpPrefix}${positiveInteger(dataset, 'dataset')}_`
}
