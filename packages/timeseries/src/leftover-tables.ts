import { database } from './dataset-tables.ts'
import { rollUpPrefix } from './roll-up-tables.ts'
import { scratchPrefix } from './scratch-join.ts'
import type { SqlConnection } from './sql-connection.ts'

const isStaged = `name LIKE 'staged\\_%'`
const isScratch = `name LIKE '${scratchPrefix.replaceAll('_', '\\_')}%'`
const isHalfRollUp = `startsWith(name, '${rollUpPrefix}') AND comment = ''`

/** Drops what was staged and not published, all scratch tables, and roll-ups that are not whole; where nobody else works on the database. */
export function dropAllLeftovers(connection: SqlConnection): Promise<void> {
  return dropTables(connection, `${isStaged} OR ${isScratch} OR (${isHalfRollUp})`)
}

/**
 * Drops what servers left that have crashed, where others may work on the database: scratch tables and parts of roll-ups of more than a day ago, and what was
 * staged more than a week ago, which has to be staged again then.
 */
export function dropOldLeftovers(connection: SqlConnection): Promise<void> {
  return dropTables(
    connection,
    `((${isScratch} OR (${isHalfRollUp})) AND metadata_modification_time < now() - INTERVAL 1 DAY) OR (${isStaged} AND metadata_modification_time < now() - INTERVAL 7 DAY)`,
  )
}

async function dropTables(connection: SqlConnection, condition: string): Promise<void> {
  const rows = await connection.rows(
    `SELECT name FROM system.tables WHERE database = '${database}' AND (${condition})`,
  )
  for (const { name } of rows) await connection.run(`DROP TABLE IF EXISTS ${database}.${String(name)} SYNC`)
}
