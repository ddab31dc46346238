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
  /** Folder of this PostgreSQL instance with its cluster, password and socket. Created when absent. */
  folder: string
  /** Folder of `postgres.log`, default `folder`. */
  logFolder?: string
  /** Receives the messages of the wrapper. */
  log: PostgresLog
  /** Called each time a crashed PostgreSQL has been restarted. All earlier connections are broken. */
  onRestart?: () => void
  /** `full` (default): a commit survives a power failure. `none`: faster, only for temporary test databases. */
  durability?: 'full' | 'none'
  /** Maximum number of connections, default 100. */
  maxConnections?: number
}
