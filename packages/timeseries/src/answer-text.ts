import { joinListItems, takeCounts } from './answer-format.ts'
import type { SeriesLabel, SeriesQuery } from './series-engine.ts'

/** Bytes of rows that are kept in order to be repeated. */
const maxKeptBytes = 4 * 1024 * 1024

/** Texts of the series of a JSON answer, gathered as they come by. */
export interface SeriesTexts {
  add(series: SeriesLabel, index: number): void
  /** JSON objects of the symbols, in the order of the series. */
  symbols: string[]
  /** Members of `metadataMap`. */
  metadata: string[]
}

/** Gathers the texts of series where the format has them outside of its rows. */
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

/** The parts of an answer in STANDARD or UI. */
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
  const kept = new KeptParts()
  for await (const part of itemsOf(rows)) {
    kept.add(part)
    yield part
  }
  const points = `,"points":{"raw":${raw},"drawn":${drawn}}`
  if (query.repeatAsData ?? query.format === 'STANDARD') {
    yield Buffer.from('],"data":[')
    yield* kept.parts ?? itemsOf(await readAgain())
  }
  yield Buffer.from(
    `],"metadataMap":{${metadata.join(',')}},"statistics":${await statistics()}${raw === undefined ? '' : points}}`,
  )
}

/** What was read, as long as it is little: then it costs less to keep it than to read it again. */
class KeptParts {
  /** All of them in their order; undefined if they were too many. */
  parts: Uint8Array[] | undefined = []
  #bytes = 0

  add(part: Uint8Array): void {
    this.#bytes += part.length
    if (this.#bytes > maxKeptBytes) this.parts = undefined
    this.parts?.push(part)
  }
}

export async function* ncsvParts(
  header: string,
  rows: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(header)
  yield* rows
}

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
