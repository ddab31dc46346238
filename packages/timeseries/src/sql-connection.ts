/** Values of `{name:Type}` placeholders; they never become part of the SQL text. */
export type SqlParams = Record<string, string | number | readonly string[] | readonly number[]>

/** Rows sent to the engine for one statement. */
export interface Upload {
  /** SQL to use in place of a table name. */
  source: string
  /** Whether a single-threaded read returns the rows in the order in which they were sent. */
  keepsOrder: boolean
  /** Drops the rows. */
  drop(): Promise<void>
}

/** A stream of bytes. Read it to the end or close it, because the engine holds a session for it. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  /** Cancels the engine's work; can be called at any time, even after the end. */
  close(): void
  /** Returns the memory of a whole chunk for reuse, after its last reader. */
  recycle?(this: void, chunk: Uint8Array): void
}

/**
 * A connection to ClickHouse, embedded or on a server. Both run the same SQL. Errors are SeriesEngineErrors, with the code
 * `unavailable` if the engine cannot be reached or died.
 */
export interface SqlConnection {
  /** Runs a statement to its end. */
  run(sql: string, params?: SqlParams): Promise<void>
  /**
   * Runs a query and returns its rows as objects. Only for small results. May be retried, so it must only read.
   * Aborting cancels the engine's work.
   */
  rows(sql: string, params?: SqlParams, signal?: AbortSignal): Promise<Record<string, unknown>[]>
  /** Runs a query that has a FORMAT clause; resolves with the first bytes. May be retried, so it must only read. */
  stream(sql: string, params?: SqlParams, signal?: AbortSignal): Promise<ByteStream>
  /**
   * Sends rows in blocks of ClickHouse's Native format, each in pieces. The memory of a block is not used after the next
   * block has been requested. `structure` is the column list of the blocks as SQL.
   */
  upload(structure: string, blocks: AsyncIterable<readonly Uint8Array[]>): Promise<Upload>
  /** Closes the connection. */
  close(): Promise<void>
}
