import { SeriesEngineError } from './series-engine.ts'
import type { SqlConnection } from './sql-connection.ts'

/** How long a question may occupy the engine. */
export interface QueryLimits {
  /**
   * Milliseconds without a byte handed on, be it that the engine makes none or that nobody takes them; then the question is ended.
   * Default 600,000 (10 minutes).
   */
  stallLimitMs?: number
  /** Milliseconds from the question to the last byte of its answer. Default 21,600,000 (6 hours). */
  queryLimitMs?: number
}

/** The time of one question. */
export interface QueryBudget {
  /** Aborts when the time is up, with an error `too-large`, and when the asker aborts. */
  signal: AbortSignal
  /** Called whenever bytes are handed on. */
  progress(): void
  /** Called when the question is over. */
  end(): void
}

/** Starts the time of a question. */
export function startBudget(
  { stallLimitMs = 600_000, queryLimitMs = 21_600_000 }: QueryLimits,
  asker?: AbortSignal,
): QueryBudget {
  const controller = new AbortController()
  const refuse = (why: string) => () =>
    controller.abort(
      new SeriesEngineError('too-large', `The query was ended because ${why}. Query less at a time.`),
    )
  const stall = setTimeout(refuse(`no data moved for ${stallLimitMs / 1000} s`), stallLimitMs)
  const total = setTimeout(refuse(`it took longer than ${queryLimitMs / 1000} s`), queryLimitMs)
  stall.unref()
  total.unref()
  const abort = () => controller.abort(asker!.reason)
  if (asker?.aborted) abort()
  else asker?.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    progress: () => void stall.refresh(),
    end() {
      clearTimeout(stall)
      clearTimeout(total)
      asker?.removeEventListener('abort', abort)
    },
  }
}

/** A connection whose questions end with a signal. Statements that make or drop something run to their end. */
export function bindSignal(connection: SqlConnection, signal: AbortSignal): SqlConnection {
  return {
    run: (sql, params) => connection.run(sql, params),
    rows: (sql, params) => connection.rows(sql, params, signal),
    stream: (sql, params) => connection.stream(sql, params, signal),
    upload: (structure, blocks) => connection.upload(structure, blocks),
    close: () => connection.close(),
  }
}

/** The parts of an answer within their time. */
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
