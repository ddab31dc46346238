import { joinListItems, takeCounts } from './result-format.ts'
import type { SeriesLabel } from './query-result.ts'
import type { SeriesQuery } from './series-query.ts'

/** Maximum size of the rows that are buffered to be sent again, in bytes. */
const maxBufferedBytes = 4 * 1024 * 1024

/** Collects the texts of the series of a JSON result. */
export interface SeriesTexts {
  /** Adds a series; called once per series, in order. */
  add(series: SeriesLabel, index: number): void
  /** JSON objects of the symbols, in the order of the series. */
  symbols: string[]
  /** Members of `metadataMap`. */
  metadata: string[]
}

/** Creates a collector for formats in which rows refer to their series by number. */
export function seriesTexts(query: SeriesQuery): SeriesTexts {
  const symbols: string[] = []
  const metadata: string[] = []
  const names = (query.metadataColumns ?? []).map((column) => column.name)
  const isJson = query.format === 'STANDARD' || query.format === 'UI'
  return {
    symbols,
    metadata,
    add(series, index) {
      if (!isJson) return
      symbols.push(jsonObject(query.symbolKeys, series.symbols))
      const given = jsonObject(names, series.metadata ?? [])
      if (given !== '{}') metadata.push(`"${index}":${given}`)
    },
  }
}

/** Streams the parts of a result in STANDARD or UI. */
export async function* jsonParts(
  query: SeriesQuery,
  rows: AsyncIterable<Uint8Array>,
  readAgain: () => Promise<AsyncIterable<Uint8Array>>,
  { symbols, metadata }: SeriesTexts,
  statistics: () => Promise<string>,
  raw?: number,
): AsyncGenerator<Uint8Array> {
  let drawn = 0
  const itemsOf = (items: AsyncIterable<Uint8Array>) =>
    joinListItems(raw === undefined ? items : takeCounts(items, (count) => (drawn += count)))
  yield Buffer.from(`{"symbols":[${symbols.join(',')}],"values":[`)
  const buffered = new BufferedParts()
  for await (const part of itemsOf(rows)) {
    buffered.add(part)
    yield part
  }
  const points = `,"points":{"raw":${raw},"drawn":${drawn}}`
  if (query.repeatAsData ?? query.format === 'STANDARD') {
    yield Buffer.from('],"data":[')
    yield* buffered.parts ?? itemsOf(await readAgain())
  }
  yield Buffer.from(
    `],"metadataMap":{${metadata.join(',')}},"statistics":${await statistics()}${raw === undefined ? '' : points}}`,
  )
}

/** Buffers the result while it is small, because this is faster than reading it again. */
class BufferedParts {
  /** All parts in order; undefined if they exceeded the limit. */
  parts: Uint8Array[] | undefined = []
  #bytes = 0

  add(part: Uint8Array): void {
    this.#bytes += part.length
    if (this.#bytes > maxBufferedBytes) this.parts = undefined
    this.parts?.push(part)
  }
}

/** Streams an NCSV result: the header, then the rows. */
export async function* ncsvParts(
  header: string,
  rows: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(header)
  yield* rows
}

/** Streams a PANDAS result. */
export async function* pandasParts(rows: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"data":{')
  yield* joinListItems(rows)
  yield Buffer.from('}}')
}

function jsonObject(keys: readonly string[], values: readonly string[]): string {
  const members = keys.flatMap((key, index) =>
    values[index] ? [`${JSON.stringify(key)}:${JSON.stringify(values[index])}`] : [],
  )
  return `{${members.join(',')}}`
}
