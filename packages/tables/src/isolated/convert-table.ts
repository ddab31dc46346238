import type { ByteSource } from '../table.ts'
import type { TableConversion } from './conversion.ts'
import { runIsolated } from './run-isolated.ts'

/** Maximum time without a message from the process, in milliseconds. */
const defaultStallMs = 120_000

/**
 * Yields the result of a table conversion, which runs in a separate process.
 * @param stallMs maximum time for a part of the file, in milliseconds
 * @throws TableError if the content cannot be converted; `signal.reason` if the signal aborts
 */
export function convertTable(
  source: ByteSource,
  conversion: TableConversion,
  signal: AbortSignal,
  stallMs = defaultStallMs,
): AsyncGenerator<Uint8Array> {
  return runIsolated(source, { conversion }, { signal, stallMs })
}
