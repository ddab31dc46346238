import { SeriesEngineError } from './series-engine-error.ts'
import type { SqlConnection } from './sql-connection.ts'

/** Time limits of a query. */
export interface QueryLimits {
  /**
   * A query is cancelled after this time without progress, in milliseconds: the engine produces no bytes, or the reader
   * accepts none. Default 600,000 (10 minutes).
   */
  stallLimitMs?: number
  /** Maximum time in milliseconds from the request to the last byte of its result. Default 21,600,000 (6 hours). */
  queryLimitMs?: number
}

/** Timeouts of one query. */
export interface QueryBudget {
  /** Aborts when a limit is exceeded, with an error `too-large`, and when the caller aborts. */
  signal: AbortSignal
  /** Called whenever bytes are delivered. */
  progress(): void
  /** Called when the query has finished. */
  end(): void
}

/** Starts the timeouts of a query. */
export function startBudget(
  { stallLimitMs = 600_000, queryLimitMs = 21_600_000 }: QueryLimits,
  caller?: AbortSignal,
): QueryBudget {
  const controller = new AbortController()
  const refuse = (why: string) => () =>
    controller.abort(
      new SeriesEngineError(
        'too-large',
        `The query was cancelled because ${why}. Query less data at a time.`,
      ),
    )
  const stall = setTimeout(refuse(`no data moved for ${stallLimitMs / 1000} s`), stallLimitMs)
  const total = setTimeout(refuse(`it took longer than ${queryLimitMs / 1000} s`), queryLimitMs)
  stall.unref()
  total.unref()
  const abort = () => controller.abort(caller!.reason)
  if (caller?.aborted) abort()
  else caller?.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    progress: () => void stall.refresh(),
    end() {
      clearTimeout(stall)
      clearTimeout(total)
      caller?.removeEventListener('abort', abort)
    },
  }
}

/**
 * Returns a connection that cancels queries when the signal aborts. Statements that create or drop tables run to their end.
 */
export function bindSignal(connection: SqlConnection, signal: AbortSignal): SqlConnection {
  return {
    run: (sql, params) => connection.run(sql, params),
    rows: (sql, params) => connection.rows(sql, params, signal),
    stream: (sql, params) => connection.stream(sql, params, signal),
    upload: (structure, blocks) => connection.upload(structure, blocks),
    close: () => connection.close(),
  }
}

/** Streams the parts of a result within the time limits. */
export async function* readInTime(
  parts: AsyncIterable<Uint8Array>,
  budget: QueryBudget,
  cleanUp: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const part of parts) {
      budget.signal.throwIfAborted()
      budget.progress()
      yield part
      budget.progress()
    }
    budget.signal.throwIfAborted()
  } catch (error) {
    throw budget.signal.aborted ? budget.signal.reason : error
  } finally {
    budget.end()
    await cleanUp()
  }
}
