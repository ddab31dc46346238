import { database } from './dataset-tables.ts'
import { rollUpPrefix } from './roll-up-tables.ts'
import { temporaryPrefix } from './temporary-join.ts'
import type { SqlConnection } from './sql-connection.ts'

const isStaged = `name LIKE 'staged\\_%'`
const isTemporary = `name LIKE '${temporaryPrefix.replaceAll('_', '\\_')}%'`
const isHalfRollUp = `startsWith(name, '${rollUpPrefix}') AND comment = ''`

/**
 * Drops unpublished staged versions, all temporary tables, and incomplete roll-ups. Only safe if no other server uses
 * the database.
 */
export function dropAllLeftovers(connection: SqlConnection): Promise<void> {
  return dropTables(connection, `${isStaged} OR ${isTemporary} OR (${isHalfRollUp})`)
}

/**
 * Drops leftovers of crashed servers while other servers may use the database: temporary tables and incomplete roll-ups
 * older than a day, and versions staged more than a week ago. Such versions must be staged again.
 */
export function dropOldLeftovers(connection: SqlConnection): Promise<void> {
  return dropTables(
    connection,
    `((${isTemporary} OR (${isHalfRollUp})) AND metadata_modification_time < now() - INTERVAL 1 DAY) OR (${isStaged} AND metadata_modification_time < now() - INTERVAL 7 DAY)`,
  )
}

async function dropTables(connection: SqlConnection, condition: string): Promise<void> {
  const rows = await connection.rows(
    `SELECT name FROM system.tables WHERE database = '${database}' AND (${condition})`,
  )
  for (const { name } of rows) await connection.run(`DROP TABLE IF EXISTS ${database}.${String(name)} SYNC`)
}
