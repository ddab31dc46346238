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
import type { ValueType } from './series-engine.ts'
import type { SqlConnection } from './sql-connection.ts'
import { quoteText } from './sql-text.ts'

/** Names of roll-ups begin so. */
export const rollUpPrefix = 'rollup_'

/** What is known of a roll-up; the comment of its table from the moment it is whole. */
export interface RollUpNote {
  /** It is true of the points of all versions up to this one, */
  version: number
  /** as long as the source is the same: see {@link RollUpState}. */
  source: string
  /** The columns it has. */
  columns: readonly number[]
}

/** A dataset and its roll-ups. */
export interface RollUpState {
  facts: DatasetFacts | undefined
  /** Another text as soon as points are taken away: names the table and the last of its mutations, which taking away is. */
  source: string
  /** Whether points are being taken away. */
  isChanging: boolean
  /** All tables of roll-ups; those that are not whole have no note. */
  rollUps: readonly { table: string; note: RollUpNote | undefined }[]
}

/**
 * The tables of roll-ups. None is ever changed once it is whole: a newer one takes its place. Whether one may be used is found out
 * from the engine alone, which all servers share.
 */
export class RollUpTables {
  readonly #connection: SqlConnection

  constructor(connection: SqlConnection) {
    this.#connection = connection
  }

  /** Undefined if there is no such dataset. */
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

  /** Makes an empty table that counts for nothing until it is finished. */
  async create(dataset: number, columns: readonly { id: number; type: ValueType }[]): Promise<string> {
    const table = `${database}.${prefixOf(dataset)}${randomUUID().replaceAll('-', '')}`
    await this.#connection.run(createRollUpSql(table, columns))
    return table
  }

  /** Says that a table is whole. */
  async finish(table: string, note: RollUpNote): Promise<void> {
    await this.#connection.run(`ALTER TABLE ${table} MODIFY COMMENT ${quoteText(JSON.stringify(note))}`)
  }

  async drop(table: string): Promise<void> {
    await this.#connection.run(`DROP TABLE IF EXISTS ${table}`)
  }

  /** Drops all roll-ups of a dataset, also those that are being made. */
  async dropAll(dataset: number): Promise<void> {
    const rows = await this.#connection.rows(
      'SELECT name FROM system.tables WHERE database = {database:String} AND startsWith(name, {prefix:String})',
      { database, prefix: prefixOf(dataset) },
    )
    for (const { name } of rows) await this.drop(`${database}.${String(name)}`)
  }

  /** Datasets of at least so many rows, and those that have roll-ups. */
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

/** Of the roll-ups that are true of the dataset as it is the one that knows most; whether there are newer versions is not looked at. */
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
