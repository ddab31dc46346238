import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from '../log.ts'

/** The tables of all features, as each feature sees its own: `database.tables<GroupTables>()`. */
export interface Database {
  /** A typed query builder over the tables of one feature. Statements are unnamed, so each gets a plan of its own. */
  tables<Tables>(): Kysely<Tables>
  /** The pool itself, for LISTEN, COPY and hand-written statements. */
  pool: pg.Pool
  close(): Promise<void>
}

// A 64-bit integer of PostgreSQL is read as a number: ids, sizes and microseconds all stay below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => Number(text))

/**
 * Opens a pool of connections. Idle connections that break are dropped and logged; the next call gets a new one.
 * @param connectionString a PostgreSQL URL, with `host=/folder` for a unix socket
 */
export function openDatabase(options: { connectionString: string; log: Log; poolSize?: number }): Database {
  const { connectionString, log, poolSize = 16 } = options
  const pool = new pg.Pool({
    connectionString,
    max: poolSize,
    application_name: 'headwater',
    // A connection is a process of PostgreSQL with memory of its own; an idle server keeps none for long.
    idleTimeoutMillis: 4000,
  })
  const warn = (error: Error) => log.warn({ error: error.message }, 'a database connection broke')
  pool.on('error', warn)
  // The pool listens to idle connections only; one that breaks between two statements of its holder would end the process.
  pool.on('connect', (client) => client.on('error', warn))
  const kysely = new Kysely<never>({ dialect: new PostgresDialect({ pool }) })
  return {
    tables: <Tables>() => kysely as unknown as Kysely<Tables>,
    pool,
    close: () => kysely.destroy(),
  }
}
