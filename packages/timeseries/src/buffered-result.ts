import type { QueryResult } from './query-result.ts'

/** Maximum values of a result that is buffered completely. */
export const maxBufferedValues = 60_000

/** Creates a result whose text is already available. */
export function bufferedResult(result: {
  contentType: string
  bytes: Uint8Array
  overflows?: number
  totalRows?: number
}): QueryResult {
  return { ...result, stream: once(result.bytes) }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
