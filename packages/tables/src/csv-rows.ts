import { CsvReader, findSeparator, formatCsvRow, isEmptyLine } from '@headwater/csv'
import type { TableRow } from './table.ts'

/** Maximum length of a cell of a CSV file, in characters. */
const maxCellLength = 1_000_000
/** Number of characters from which the separator is detected. */
const sampleLength = 65_536

/**
 * Yields the rows of a UTF-8 CSV file as they arrive, without empty lines.
 * @param separator default: detected from the beginning of the file
 * @throws CsvError for invalid CSV
 */
export async function* csvRows(
  stream: AsyncIterable<Uint8Array>,
  separator?: string,
): AsyncGenerator<TableRow> {
  const decoder = new TextDecoder()
  const rows: TableRow[] = []
  let reader: CsvReader | undefined
  let sample = ''
  const open = (isWhole: boolean) => {
    reader = new CsvReader(
      (cells, number) => {
        if (!isEmptyLine(cells)) rows.push({ number, cells })
      },
      { separator: separator ?? findSeparator(sample, isWhole), maxCellLength },
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

/** Yields rows as lines of a CSV file with commas. */
export async function* csvLines(rows: AsyncIterable<TableRow>): AsyncGenerator<string> {
  for await (const { cells } of rows) yield `${formatCsvRow(cells)}\n`
}
