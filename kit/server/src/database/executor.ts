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

/** Runs SQL: a pool, a connection, or a transaction. Features pass it to each other to share a transaction. */
export interface Executor {
  /** Runs a statement with parameters. */
  query(text: string, values: unknown[]): Promise<{ rows: unknown[]; rowCount?: number | null }>
}

/** A transaction of one feature that another feature joins. */
export function executorOf<Tables>(transaction: Transaction<Tables>): Executor {
  return {
    async query(text, values) {
      const { rows, numAffectedRows } = await transaction.executeQuery(CompiledQuery.raw(text, values))
      return { rows, rowCount: numAffectedRows === undefined ? null : Number(numAffectedRows) }
    },
  }
}

/**
 * Returns the typed query builder of a feature on a transaction of another feature. Its `transaction()` joins that
 * transaction. The feature that began the transaction commits it or rolls it back.
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
        const typed = rows as R[]
        return rowCount == null ? { rows: typed } : { rows: typed, numAffectedRows: BigInt(rowCount) }
      },
      // oxlint-disable-next-line require-yield -- it throws before the first item
      async *streamQuery() {
        throw new Error('Queries of a shared transaction cannot be streamed.')
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
