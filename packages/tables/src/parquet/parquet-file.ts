import { promisify } from 'node:util'
import { zstdCompressSync } from 'node:zlib'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { requireHeader, requireWidth, TableError, type TableRow } from '../table.ts'
import { ColumnClassifier, columnForms, type ColumnForm } from './column-forms.ts'

/** Maximum number of rows and cells of a row group, which is held in memory. */
const maxGroupRows = 100_000
const maxGroupCells = 1_000_000
/** Maximum number of characters in the cells of a row group. */
const maxGroupLength = 32_000_000
const maxColumns = 10_000

const pause = promisify(setImmediate)

/**
 * Yields a Parquet file (ZSTD). Each column has the narrowest type that preserves all of its cells: BOOLEAN, INT64,
 * DOUBLE, DATE, TIMESTAMP or text. Empty cells are null.
 * @param open yields the rows, beginning with the header; called twice, because the types depend on all rows
 * @throws TableError
 */
export async function* parquetFile(open: () => AsyncIterable<TableRow>): AsyncGenerator<Uint8Array> {
  const { header, forms } = await classify(open())
  const valueOf = forms.map((form) => columnForms[form].value)
  const writer = new ByteWriter()
  const file = new ParquetWriter({
    writer,
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    createdBy: 'Headwater',
    schema: [
      { name: 'table', num_children: header.length },
      ...header.map((name, index) => ({
        name,
        repetition_type: 'OPTIONAL' as const,
        ...columnForms[forms[index]!].element,
      })),
    ],
  })
  const written = () => {
    const bytes = new Uint8Array(writer.buffer, 0, writer.index).slice()
    writer.index = 0
    return bytes
  }
  let group = emptyGroup(header)
  const write = async () => {
    await file.write({
      columnData: header.map((name, index) => ({ name, data: group.columns[index]! })),
      rowGroupSize: maxGroupRows,
    })
    group = emptyGroup(header)
    await pause()
    return written()
  }
  let isHeader = true
  for await (const { cells } of open()) {
    if (isHeader) {
      isHeader = false
      continue
    }
    for (let index = 0; index < cells.length; index++) {
      const cell = cells[index]!
      group.columns[index]!.push(cell === '' ? null : valueOf[index]!(cell))
      group.length += cell.length
    }
    group.rows++
    if (isFull(group, header.length)) yield write()
  }
  if (group.rows > 0) yield write()
  await file.finish()
  yield written()
}

interface Group {
  columns: unknown[][]
  rows: number
  length: number
}

function emptyGroup(header: readonly string[]): Group {
  return { columns: header.map(() => []), rows: 0, length: 0 }
}

function isFull({ rows, length }: Group, columns: number): boolean {
  return rows >= maxGroupRows || rows * columns >= maxGroupCells || length >= maxGroupLength
}

/** Finds the form of each column. All rows are checked before the first byte is written. */
async function classify(rows: AsyncIterable<TableRow>): Promise<{ header: string[]; forms: ColumnForm[] }> {
  let header: string[] | undefined
  const classifiers: ColumnClassifier[] = []
  for await (const row of rows) {
    if (header === undefined) {
      header = requireHeader(row.cells)
      if (header.length > maxColumns)
        throw new TableError(
          `A Parquet file can have at most ${maxColumns.toLocaleString('en')} columns here.`,
        )
      const unnamed = header.indexOf('')
      if (unnamed >= 0) throw new TableError(`Column ${unnamed + 1} has no name. Enter one in the header.`)
      classifiers.push(...header.map(() => new ColumnClassifier()))
      continue
    }
    requireWidth(row, header)
    for (let index = 0; index < header.length; index++) {
      const cell = row.cells[index]!
      if (cell !== '') classifiers[index]!.add(cell)
    }
  }
  if (header === undefined) throw new TableError('The file is empty.')
  return { header, forms: classifiers.map((classifier) => classifier.form()) }
}
