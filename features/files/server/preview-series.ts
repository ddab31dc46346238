import { CsvError, CsvReader, isEmptyLine } from '@headwater/csv'
import { NcsvError, readNcsv, type NcsvHeader } from '@headwater/ncsv'
import {
  maxPreviewColumns,
  maxPreviewRows,
  maxPreviewSymbols,
  type SeriesPreview,
} from '../contract/index.ts'

/** Maximum number of characters of a cell. */
const maxCellLength = 200
/** Number of rows per batch; the event loop can do other work between batches. */
const batchRows = 16_384

/**
 * Reads the beginning of a series file.
 * @param content the bytes up to `previewedBytes`
 * @param isWhole whether these are all bytes of the file
 */
export async function readSeriesPreview(
  content: AsyncIterable<Uint8Array>,
  isWhole: boolean,
): Promise<SeriesPreview> {
  const preview: SeriesPreview = {
    columns: [],
    columnCount: 0,
    rows: [],
    rowCount: 0,
    symbols: [],
    symbolCount: 0,
    isWhole,
  }
  const beginning = new Beginning()
  let first = Infinity
  let last = -Infinity
  try {
    const source = isWhole ? content : wholeRows(content)
    const { header, batches } = await readNcsv(beginning.watch(source), { batchRows, reusesMemory: true })
    addColumns(preview, header)
    for await (const { rowCount, newSymbols, timestamps } of batches) {
      preview.rowCount += rowCount
      preview.symbolCount += newSymbols.length
      for (const tuple of newSymbols.slice(0, maxPreviewSymbols - preview.symbols.length))
        preview.symbols.push(
          Object.fromEntries(
            header.symbolColumns
              .map(({ name }, at) => [name, tuple[at] ?? ''])
              .filter(([, value]) => value !== ''),
          ),
        )
      for (const timestamp of timestamps.subarray(0, rowCount)) {
        if (timestamp < first) first = timestamp
        if (timestamp > last) last = timestamp
      }
    }
  } catch (error) {
    if (!(error instanceof NcsvError)) throw error
    // The end of the previewed bytes can be inside a quoted cell with line breaks.
    const isCut = error.problems.every(({ message }) => message.includes('not closed before the end'))
    if (isWhole || !isCut) preview.problem = error.message
  }
  preview.rows = beginning.rows
  if (first <= last) {
    preview.firstDate = new Date(first).toISOString()
    preview.lastDate = new Date(last).toISOString()
  }
  return preview
}

function addColumns(preview: SeriesPreview, header: NcsvHeader): void {
  const { symbolColumns, dateColumn, valueColumns, metadataColumns, names } = header
  const columns = [
    ...symbolColumns.map(({ name, index }) => ({ index, name, kind: 'symbol', type: 'string' }) as const),
    ...(dateColumn ? [{ index: dateColumn.index, name: 'Date', kind: 'date', type: 'date' } as const] : []),
    ...valueColumns.map(({ name, index, type }) => ({ index, name, kind: 'value', type }) as const),
    ...metadataColumns.map(({ name, index, type }) => ({ index, name, kind: 'metadata', type }) as const),
  ]
  preview.columns = columns
    .toSorted((a, b) => a.index - b.index)
    .slice(0, maxPreviewColumns)
    .map(({ name, kind, type }) => ({ name, kind, type }))
  preview.columnCount = names.length
  if (dateColumn) preview.timezone = dateColumn.timeZone
}

/** Reads the text of the first rows from the bytes that pass through it. */
class Beginning {
  readonly rows: SeriesPreview['rows'] = []
  #hasHeader = false
  #isOver = false
  readonly #decoder = new TextDecoder()
  readonly #reader = new CsvReader((row, line) => {
    if (isEmptyLine(row) || row[0]!.startsWith('#')) return true
    if (this.#hasHeader)
      this.rows.push({
        line,
        cells: row.slice(0, maxPreviewColumns).map((cell) => cell.slice(0, maxCellLength).toWellFormed()),
      })
    this.#hasHeader = true
    return this.rows.length < maxPreviewRows
  })

  async *watch(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      this.#read(() => this.#reader.push(this.#decoder.decode(chunk, { stream: true })))
      yield chunk
    }
    this.#read(() => this.#reader.end())
  }

  #read(read: () => void): void {
    if (this.#isOver || this.rows.length >= maxPreviewRows) return
    try {
      read()
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      // The reader of series files describes the problem.
      this.#isOver = true
    }
  }
}

/** Omits the bytes after the last line break, which are the beginning of a row. */
async function* wholeRows(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  for await (const chunk of content) {
    const end = Math.max(chunk.lastIndexOf(0x0a), chunk.lastIndexOf(0x0d)) + 1
    if (end > 0) {
      yield* held
      yield chunk.subarray(0, end)
      held = []
    }
    if (end < chunk.length) held.push(chunk.subarray(end))
  }
}
