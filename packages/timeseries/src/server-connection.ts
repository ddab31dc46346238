import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { SeriesEngineError } from './series-engine-error.ts'
import { statementSettings } from './statement-settings.ts'
import { temporaryTable } from './temporary-join.ts'
import type { SqlConnection, SqlParams } from './sql-connection.ts'
import { toEngineError } from './sql-error.ts'

/** Options of a connection to a ClickHouse server. */
export interface ServerConnectionOptions {
  /** URL of the HTTP interface, such as `http://localhost:8123`. */
  url: string
  /** User name. Default `default`. */
  username?: string
  /** Password. Default: empty. */
  password?: string
  /**
   * Maximum silence of the server in milliseconds; must exceed the stall limit of a query (see QueryLimits). Default
   * 660,000.
   */
  requestTimeoutMs?: number
}

const statementTexts: Record<string, string> = Object.fromEntries(
  Object.entries(statementSettings).map(([name, value]) => [name, String(value)]),
)

/**
 * Opens a connection to a ClickHouse server.
 * @param settings of every statement, by their names in ClickHouse
 */
export function openServerConnection(
  { url, username = 'default', password = '', requestTimeoutMs = 660_000 }: ServerConnectionOptions,
  settings: Record<string, number> = {},
): SqlConnection {
  const client = createClient({
    url,
    username,
    password,
    request_timeout: requestTimeoutMs,
    max_open_connections: 32,
    log: { level: ClickHouseLogLevel.OFF },
    compression: { request: false, response: false },
    clickhouse_settings: { ...statementTexts, wait_end_of_query: 0, ...settings },
  })

  async function run(sql: string, params: SqlParams = {}): Promise<void> {
    await client
      .command({ query: sql, query_params: params, clickhouse_settings: { wait_end_of_query: 1 } })
      .catch(fail)
  }

  /**
   * Cancels a statement when its signal aborts, because a server that has nothing to send does not notice that the
   * connection was closed.
   */
  function stopOnAbort(signal: AbortSignal | undefined) {
    const id = randomUUID()
    const stop = () =>
      void client
        .command({ query: 'KILL QUERY WHERE query_id = {id:String} ASYNC', query_params: { id } })
        .catch(() => {})
    signal?.addEventListener('abort', stop)
    return { id, stop, end: () => signal?.removeEventListener('abort', stop) }
  }

  return {
    run,
    async rows(sql, params = {}, signal) {
      const stopping = stopOnAbort(signal)
      try {
        const result = await client.query({
          query: sql,
          query_params: params,
          format: 'JSONEachRow',
          query_id: stopping.id,
          ...(signal ? { abort_signal: signal } : {}),
        })
        return await result.json<Record<string, unknown>>()
      } catch (error) {
        signal?.throwIfAborted()
        if (!isServerError(error)) stopping.stop()
        return fail(error)
      } finally {
        stopping.end()
      }
    },
    async stream(sql, params = {}, signal) {
      const stopping = stopOnAbort(signal)
      try {
        const { stream } = await client.exec({
          query: sql,
          query_params: params,
          query_id: stopping.id,
          ...(signal ? { abort_signal: signal } : {}),
        })
        // Closing a half-read stream resets its connection, which is not an error.
        stream.on('error', (error) => {
          if (!isServerError(error)) stopping.stop()
        })
        stream.once('close', stopping.end)
        const close = () => {
          if (!stream.readableEnded) stopping.stop()
          stream.destroy()
        }
        return Object.assign(reportBrokenStream(stream), { close })
      } catch (error) {
        stopping.end()
        signal?.throwIfAborted()
        if (!isServerError(error)) stopping.stop()
        return fail(error)
      }
    },
    async upload(structure, blocks) {
      const table = temporaryTable()
      const drop = () => run(`DROP TABLE IF EXISTS ${table} SYNC`)
      await run(`CREATE TABLE ${table} (${structure}) ENGINE = MergeTree ORDER BY tuple()`)
      try {
        const iterator = blocks[Symbol.asyncIterator]()
        const first = await iterator.next()
        if (!first.done) {
          const body = Readable.from(continueWith(first.value, iterator), { objectMode: false })
          const { stream } = await client.exec({ query: `INSERT INTO ${table} FORMAT Native`, values: body })
          for await (const _ of stream) continue
        }
      } catch (error) {
        await drop().catch(() => {})
        return fail(error)
      }
      return { source: table, keepsOrder: false, drop }
    },
    close: () => client.close(),
  }
}

/**
 * Yields the first block, then the others. The caller waits for the first block before the insert begins, because the server
 * rejects an insert without bytes.
 */
async function* continueWith(
  first: readonly Uint8Array[],
  rest: AsyncIterator<readonly Uint8Array[]>,
): AsyncGenerator<Uint8Array> {
  yield Buffer.concat(first)
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield Buffer.concat(next.value)
}

async function* reportBrokenStream(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch (error) {
    fail(error)
  }
}

/**
 * Returns whether the server reported an error. Otherwise the connection broke, possibly without the server noticing.
 */
function isServerError(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code !== undefined && /^\d+$/.test(code)
}

function fail(error: unknown): never {
  if (error instanceof SeriesEngineError) throw error
  const message = error instanceof Error ? error.message : String(error)
  if (isServerError(error))
    throw toEngineError(`Code: ${(error as { code: string }).code}. DB::Exception: ${message}`)
  throw new SeriesEngineError(
    'unavailable',
    'The ClickHouse server cannot be reached or the connection broke. Retry the request.',
    { cause: error },
  )
}
