/** Receives the messages of the wrapper; a pino logger fits. */
export interface PostgresLog {
  /** Logs progress. */
  info(message: string): void
  /** Logs a problem that the wrapper handles. */
  warn(message: string): void
  /** Logs a problem that someone must solve. */
  error(message: string): void
}

/** Options of {@link startPostgres}. */
export interface PostgresOptions {
  /** Folder of this PostgreSQL: cluster, password, socket. Created when absent. */
  folder: string
  /** Folder of `postgres.log`, default `folder`. */
  logFolder?: string
  /** Receives the messages of the wrapper. */
  log: PostgresLog
  /** Called after each restart of a crashed PostgreSQL. Every earlier connection is broken. */
  onRestart?: () => void
  /** `full` (default): a commit survives a power cut. `none`: faster, for throw-away databases of tests only. */
  durability?: 'full' | 'none'
  /** Maximum number of connections, default 100. */
  maxConnections?: number
}
