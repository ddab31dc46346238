import { randomUUID } from 'node:crypto'
import { database } from './dataset-tables.ts'
import { nativeBlockParts, type NativeColumn } from './native-block.ts'
import type { SqlConnection } from './sql-connection.ts'

/** Prefix of temporary tables. */
export const temporaryPrefix = 'scratch_'

/** Rows per block of a temporary table. */
const blockRows = 65_536

/** A temporary table in which a statement looks up values by a key. It exists until the result has been read. */
export interface TemporaryJoin {
  /** Name of the table. */
  table: string
  /** Returns SQL that looks up a column by key. It returns the default of the column's type if the key is missing. */
  lookUp(this: void, column: string, key: string): string
  /** Drops the table. */
  drop(this: void): Promise<void>
}

/** Returns a new name of a temporary table. */
export function temporaryTable(): string {
  return `${database}.${temporaryPrefix}${randomUUID().replaceAll('-', '')}`
}

/**
 * Creates a temporary table for lookups.
 * @param columns names and types; the first one is the key
 * @param encode returns the columns of a range of rows
 */
export async function openTemporaryJoin(
  connection: SqlConnection,
  columns: readonly { name: string; type: string }[],
  rowCount: number,
  encode: (from: number, to: number) => NativeColumn['bytes'][],
): Promise<TemporaryJoin> {
  const table = temporaryTable()
  const structure = columns.map(({ name, type }) => `${name} ${type}`).join(', ')
  const drop = () => connection.run(`DROP TABLE IF EXISTS ${table} SYNC`)
  async function* blocks() {
    for (let from = 0; from < rowCount; from += blockRows) {
      const to = Math.min(rowCount, from + blockRows)
      const bytes = encode(from, to)
      yield nativeBlockParts(
        to - from,
        columns.map((column, index) => ({ ...column, bytes: bytes[index]! })),
      )
    }
  }
  const upload = await connection.upload(structure, blocks())
  try {
    // The table is persistent, because a restarted engine may retry a statement and would otherwise find the table
    // empty.
    await connection.run(
      `CREATE TABLE ${table} (${structure}) ENGINE = Join(ANY, LEFT, ${columns[0]!.name}) SETTINGS persistent = 1`,
    )
    await connection.run(`INSERT INTO ${table} SELECT * FROM ${upload.source}`)
  } catch (error) {
    await drop().catch(() => {})
    throw error
  } finally {
    await upload.drop()
  }
  return { table, lookUp: (column, key) => `joinGet('${table}', '${column}', ${key})`, drop }
}
