import {
  CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type Transaction,
} from 'kysely'

/** Something that runs SQL: a pool, a connection, or a transaction. It travels between rooms that share a transaction. */
export interface Executor {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[]; rowCount?: number | null }>
}

/** A transaction of one room as another takes part in it. */
export function executorOf<Tables>(transaction: Transaction<Tables>): Executor {
  return {
    async query(text, values) {
      const { rows, numAffectedRows } = await transaction.executeQuery(CompiledQuery.raw(text, values))
      return { rows, rowCount: numAffectedRows === undefined ? null : Number(numAffectedRows) }
    },
  }
}

/**
 * The typed query builder of a room on a transaction that it was handed. `transaction()` on it joins that transaction:
 * whoever began it commits it or rolls it back.
 */
export function tablesOn<Tables>(executor: Executor): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new ExecutorDriver(executor),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}

class ExecutorDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(executor: Executor) {
    this.#connection = {
      async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
        const { rows, rowCount } = await executor.query(sql, [...parameters])
        const found = rows as R[]
        return rowCount == null ? { rows: found } : { rows: found, numAffectedRows: BigInt(rowCount) }
      },
      // oxlint-disable-next-line require-yield -- a stream is refused before it begins
      async *streamQuery() {
        throw new Error('A transaction that was handed over cannot be read as a stream.')
      },
    }
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }
  async beginTransaction(): Promise<void> {}
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}
