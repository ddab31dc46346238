/** Values of `{name:Type}` placeholders; they never become part of the SQL text. */
export type SqlParams = Record<string, string | number | readonly string[] | readonly number[]>

/** Rows brought to the engine for one statement. */
export interface Upload {
  /** SQL that stands where a table name may stand. */
  source: string
  /** Whether a statement that reads them by one thread gets them in the order in which they were brought. */
  keepsOrder: boolean
  /** Takes the rows away again. */
  drop(): Promise<void>
}

/** Bytes as they come. Whoever got it reads it to the end or closes it, else the engine keeps a session for it. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  /** Stops the engine's work; may be called at any time, also after the end. */
  close(): void
  /** Takes a chunk back as a whole, when nobody will look at it again, to use its memory once more. */
  recycle?(this: void, chunk: Uint8Array): void
}

/**
 * A ClickHouse to talk to: in process or a server. All adapters run the same SQL; errors are SeriesEngineErrors, with code
 * `unavailable` if the engine could not be reached or died.
 */
export interface SqlConnection {
  /** Runs a statement to its end. */
  run(sql: string, params?: SqlParams): Promise<void>
  /** Runs a query and gives its rows as objects. Only for small answers. May be tried twice, so it must only read. Aborting stops the engine's work. */
  rows(sql: string, params?: SqlParams, signal?: AbortSignal): Promise<Record<string, unknown>[]>
  /** Runs a query that has a FORMAT clause; settles with the first bytes. May be tried twice, so it must only read. */
  stream(sql: string, params?: SqlParams, signal?: AbortSignal): Promise<ByteStream>
  /**
   * Brings rows in blocks of ClickHouse's Native format, each in pieces. The memory of a block is not touched any more once the next
   * one is asked for. `structure` is the column list of the blocks as SQL.
   */
  upload(structure: string, blocks: AsyncIterable<readonly Uint8Array[]>): Promise<Upload>
  close(): Promise<void>
}
