import { randomUUID } from 'node:crypto'
import { database } from './dataset-tables.ts'
import { nativeBlockParts, type NativeColumn } from './native-block.ts'
import type { SqlConnection } from './sql-connection.ts'

/** Names of scratch tables begin so. */
export const scratchPrefix = 'scratch_'

/** Rows per block of a scratch table. */
const blockRows = 65_536

/** A scratch table from which a statement looks up values by a key, for as long as an answer lasts. */
export interface ScratchJoin {
  table: string
  /** SQL of a column at a key; the default of its type where the key is missing. */
  lookUp(this: void, column: string, key: string): string
  drop(this: void): Promise<void>
}

/** A new name of a scratch table. */
export function scratchTable(): string {
  return `${database}.${scratchPrefix}${randomUUID().replaceAll('-', '')}`
}

/**
 * Makes a scratch table to look up values in.
 * @param columns names and types; the first one is the key.
 * @param encode the columns of the rows from one place up to another.
 */
export async function openScratchJoin(
  connection: SqlConnection,
  columns: readonly { name: string; type: string }[],
  rowCount: number,
  encode: (from: number, to: number) => NativeColumn['bytes'][],
): Promise<ScratchJoin> {
  const table = scratchTable()
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
    // Persistent, as a statement may be tried again by an engine that was started anew and would find the table empty.
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
