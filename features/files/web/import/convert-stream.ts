import {
  CsvConverter,
  detectEncoding,
  type CsvMapping,
  type RowProblem,
  type TextEncoding,
} from '@headwater/csv'
import { createZoneClock } from '@headwater/zones'

/** Size of the pieces of the converted file, in characters. */
const pieceLength = 4 * 1024 * 1024
/** Number of bytes at the beginning of a file that determine its encoding. */
const sniffedBytes = 64 * 1024
/** Maximum number of different symbols that are counted, to limit memory. */
const maxCountedSymbols = 10_000

/** A converted file. */
export interface Conversion {
  /** NCSV; incomplete if there are problems. The browser can store large contents on disk. */
  content: Blob
  /** Number of rows without the header. */
  rowCount: number
  /** The first symbol, with its keys and values; undefined without rows. */
  symbol: Record<string, string> | undefined
  /** Number of different symbols, at most {@link maxCountedSymbols}. */
  symbolCount: number
  /** Problems, with lines of the original file; empty for a file that can be stored. */
  problems: RowProblem[]
  /** Number to subtract from a line of the converted file to get the line of the original file. */
  lineShift: number
}

/**
 * Converts a CSV file to NCSV as a stream.
 * @param onProgress called with the fraction of the bytes that has been read, 0 to 1
 */
export async function convertStream(
  source: Blob,
  mapping: CsvMapping,
  onProgress: (fraction: number) => void,
): Promise<Conversion> {
  const beginning = new Uint8Array(await source.slice(0, sniffedBytes).arrayBuffer())
  const encoding = detectEncoding(beginning, beginning.length === source.size)
  return (
    (await convertAs(source, mapping, encoding, onProgress)) ??
    // Bytes after the beginning are not UTF-8.
    (await convertAs(source, mapping, 'windows-1252', onProgress))!
  )
}

async function convertAs(
  source: Blob,
  mapping: CsvMapping,
  encoding: TextEncoding,
  onProgress: (fraction: number) => void,
): Promise<Conversion | undefined> {
  const decoder = new TextDecoder(encoding, { fatal: encoding === 'utf-8' })
  const keys = [...mapping.constantSymbols.map(({ name }) => name), ...mapping.symbolColumns]
  const symbols = new Set<string>()
  let symbol: Conversion['symbol']
  const converter = new CsvConverter(createZoneClock, mapping, {
    onRow(cells) {
      if (symbols.size >= maxCountedSymbols) return
      const values = cells.slice(0, keys.length)
      symbol ??= Object.fromEntries(keys.map((key, at) => [key, values[at]!]))
      symbols.add(values.join('\0'))
    },
  })
  const blobs: Blob[] = []
  let pieces: string[] = []
  let length = 0
  const write = (text: string) => {
    // The output of a file with problems is not used.
    if (converter.problems.length > 0) {
      blobs.length = pieces.length = length = 0
      return
    }
    pieces.push(text)
    length += text.length
    if (length < pieceLength) return
    blobs.push(new Blob(pieces))
    pieces = []
    length = 0
  }
  let readBytes = 0
  const reader = source.stream().getReader()
  for (;;) {
    const { value, done } = await reader.read()
    let text: string
    try {
      text = decoder.decode(value, { stream: !done })
    } catch {
      await reader.cancel()
      return undefined
    }
    write(converter.push(text))
    if (done) break
    readBytes += value.length
    onProgress(readBytes / source.size)
  }
  write(converter.end())
  return {
    content: new Blob([...blobs, ...pieces], { type: 'text/csv' }),
    rowCount: converter.rowCount,
    symbol,
    symbolCount: symbols.size,
    problems: converter.problems,
    lineShift: converter.lineShift,
  }
}
