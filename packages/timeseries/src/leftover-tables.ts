import { database } from './dataset-tables.ts'
import { scratchPrefix } from './scratch-join.ts'
import type { SqlConnection } from './sql-connection.ts'

const isStaged = `name LIKE 'staged\\_%'`
const isScratch = `name LIKE '${scratchPrefix.replaceAll('_', '\\_')}%'`

/** Drops what was staged and not published, and all scratch tables; where nobody else works on the database. */
export function dropAllLeftovers(connection: SqlConnection): Promise<void> {
  return dropTables(connection, `${isStaged} OR ${isScratch}`)
}

/**
 * Drops what servers left that have crashed, where others may work on the database: scratch tables of more than a day ago, and what was
 * staged more than a week ago, which has to be staged again then.
 */
export function dropOldLeftovers(connection: SqlConnection): Promise<void> {
  return dropTables(
    connection,
    `(${isScratch} AND metadata_modification_time < now() - INTERVAL 1 DAY) OR (${isStaged} AND metadata_modification_time < now() - INTERVAL 7 DAY)`,
  )
}

async function dropTables(connection: SqlConnection, condition: string): Promise<void> {
  const rows = await connection.rows(
    `SELECT name FROM system.tables WHERE database = '${database}' AND (${condition})`,
  )
  for (const { name } of rows) await connection.run(`DROP TABLE IF EXISTS ${database}.${String(name)} SYNC`)
}
