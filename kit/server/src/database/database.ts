import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from '../log.ts'

/** The database of all features. Each feature declares its own tables: `database.tables<GroupTables>()`. */
export interface Database {
  /**
   * Returns a typed query builder over the tables of one feature. Statements are unnamed, so that PostgreSQL plans each
   * of them separately.
   */
  tables<Tables>(): Kysely<Tables>
  /** The connection pool, for LISTEN, COPY and hand-written statements. */
  pool: pg.Pool
  /** Closes all connections. */
  close(): Promise<void>
}

// 64-bit integers of PostgreSQL are read as numbers: ids, sizes and microseconds stay below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => Number(text))

/**
 * Opens a pool of connections. Broken idle connections are logged and dropped; the next call gets a new one.
 * @param connectionString a PostgreSQL URL, with `host=/folder` for a unix socket
 * @param poolSize maximum number of connections; default 16
 */
export function openDatabase(options: { connectionString: string; log: Log; poolSize?: number }): Database {
  const { connectionString, log, poolSize = 16 } = options
  const pool = new pg.Pool({
    connectionString,
    max: poolSize,
    application_name: 'headwater',
    // Idle connections are closed early, because each one is a PostgreSQL process with its own memory.
    idleTimeoutMillis: 4000,
  })
  const warn = (error: Error) => log.warn({ error: error.message }, 'a database connection broke')
  pool.on('error', warn)
  // The pool handles errors of idle connections only. Without this listener, a connection that breaks between two
  // statements would end the process.
  pool.on('connect', (client) => client.on('error', warn))
  const kysely = new Kysely<never>({ dialect: new PostgresDialect({ pool }) })
  return {
    tables: <Tables>() => kysely as unknown as Kysely<Tables>,
    pool,
    // Kysely closes the pool only if Kysely itself sent a statement.
    async close() {
      if (!pool.ending) await pool.end()
    },
  }
}
