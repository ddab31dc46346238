import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely'
import pg from 'pg'
import type { Log } from '../log.ts'
import { MarkingClient } from './marking-client.ts'

/** The database of all features. Each feature declares its own tables: `database.tables<GroupTables>()`. */
export interface Database {
  /**
   * Returns a typed query builder over the tables of one feature. Statements are unnamed, so that PostgreSQL plans each
   * of them separately.
   */
  tables<Tables>(): Kysely<Tables>
  /**
   * Runs a frequent statement with constant text, and returns its rows. Each connection parses the statement once, and
   * PostgreSQL can use one plan for all parameters.
   */
  prepared<Row>(statement: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<Row[]>
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
    Client: MarkingClient,
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
    prepared: createPrepared(pool),
    pool,
    // Kysely closes the pool only if Kysely itself sent a statement.
    async close() {
      if (!pool.ending) await pool.end()
    },
  }
}

/**
 * Maximum number of prepared statements. If there are more, their text probably varies, and further statements are not
 * prepared.
 */
const maxPrepared = 200

function createPrepared(pool: pg.Pool): Database['prepared'] {
  const names = new Map<string, string>()
  return async <Row>({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>) => {
    let name = names.get(sql)
    if (name === undefined && names.size < maxPrepared) {
      name = createHash('sha256').update(sql).digest('hex').slice(0, 40)
      names.set(sql, name)
    }
    const statement = { text: sql, values: [...parameters] }
    try {
      return (await pool.query({ ...statement, name })).rows as Row[]
    } catch (error) {
      // Another server has migrated the database since this connection prepared the statement.
      if (!(error instanceof Error) || !error.message.includes('cached plan must not change result type'))
        throw error
      return (await pool.query(statement)).rows as Row[]
    }
  }
}
