import { CsvReader, findSeparator, isEmptyLine } from '@headwater/csv'

/** Longest cell of a CSV file, in characters. */
const maxCellLength = 1_000_000
/** Characters from which the separator is detected. */
const sampleLength = 65_536

/** A row of a CSV file. */
export interface CsvRow {
  /** Number of the row, the header is 1. Empty lines count. */
  number: number
  /** Its cells. */
  cells: string[]
}

/**
 * Yields the rows of a CSV file without empty lines, as they arrive. The separator is detected.
 * @throws CsvError for invalid CSV
 */
export async function* csvRows(stream: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow> {
  const decoder = new TextDecoder()
  const rows: CsvRow[] = []
  let number = 0
  let reader: CsvReader | undefined
  let sample = ''
  const open = (isWhole: boolean) => {
    const separator = findSeparator(sample, isWhole)
    reader = new CsvReader(
      (cells) => {
        number++
        if (!isEmptyLine(cells)) rows.push({ number, cells })
      },
      { separator, maxCellLength },
    )
    reader.push(sample)
  }
  for await (const chunk of stream) {
    const text = decoder.decode(chunk, { stream: true })
    if (reader !== undefined) reader.push(text)
    else {
      sample += text
      if (sample.length >= sampleLength) open(false)
    }
    yield* rows.splice(0)
  }
  if (reader === undefined) open(true)
  reader!.end()
  yield* rows.splice(0)
}
