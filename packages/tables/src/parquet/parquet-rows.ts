import { parquetMetadata, type FileMetaData, type SchemaElement } from 'hyparquet'
import { parquetSchema } from 'hyparquet/src/metadata.js'
import { TableError, type ByteSource, type TableRow } from '../table.ts'
import { columnTextOf, type ColumnText } from './column-texts.ts'
import { ColumnPages, PageBudget } from './column-pages.ts'

/** Maximum size of the file metadata, in bytes. */
const maxFooterBytes = 32 * 1024 * 1024
const maxColumns = 10_000
/** Number of rows that are joined at a time. */
const batchRows = 1000

/** A column to read. */
interface Column {
  name: string
  element: SchemaElement
  text: ColumnText
}

/**
 * Yields the rows of a Parquet file as texts, beginning with the header. Only one page of each column is in memory.
 * @param columns names of the columns. Default: all. Columns with groups or lists have no text and cannot be chosen.
 * @throws TableError
 */
export async function* parquetRows(source: ByteSource, columns: readonly string[]): AsyncGenerator<TableRow> {
  const metadata = await readMetadata(source)
  const chosen = chooseColumns(metadata, columns)
  yield { number: 1, cells: chosen.map(({ name }) => name) }
  let number = 1
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows)
    const budget = new PageBudget()
    const readers = chosen.map((column) => {
      const chunk = group.columns.find(
        ({ meta_data: about }) => about?.path_in_schema.join('.') === column.name,
      )
      if (chunk?.meta_data === undefined || chunk.file_path)
        throw new TableError(`The file has no values of the column “${column.name}”.`)
      return new ColumnPages(source, chunk.meta_data, column.element, { rows, budget })
    })
    for (let row = 0; row < rows; row += batchRows) {
      const size = Math.min(batchRows, rows - row)
      const texts: string[][] = []
      for (const [index, reader] of readers.entries()) {
        const { text } = chosen[index]!
        const values = await reader.next(size)
        texts.push(values.map((value) => (value === null || value === undefined ? '' : text(value))))
      }
      for (let at = 0; at < size; at++) {
        number++
        yield { number, cells: texts.map((column) => column[at]!) }
      }
    }
  }
}

async function readMetadata(source: ByteSource): Promise<FileMetaData> {
  const { sizeBytes } = source
  const end = Buffer.from(await source.read(Math.max(0, sizeBytes - 8), sizeBytes))
  const mark = end.subarray(-4).toString('latin1')
  if (mark === 'PARE') throw new TableError('The Parquet file is encrypted.')
  if (sizeBytes < 12 || mark !== 'PAR1') throw new TableError('The file is not a Parquet file.')
  const length = end.readUInt32LE(0)
  if (length > Math.min(maxFooterBytes, sizeBytes - 8))
    throw new TableError('The Parquet file is damaged: its description has an invalid size.')
  // Copies the bytes, because the parser reads from the beginning of the buffer.
  const footer = Uint8Array.from(await source.read(sizeBytes - 8 - length, sizeBytes))
  try {
    return parquetMetadata(footer, { geoparquet: false })
  } catch {
    throw new TableError('The Parquet file is damaged: its description cannot be read.')
  }
}

function chooseColumns(metadata: FileMetaData, names: readonly string[]): Column[] {
  const { children } = parquetSchema(metadata)
  if (children.length === 0) throw new TableError('The Parquet file has no columns.')
  if (children.length > maxColumns)
    throw new TableError(`The file has more than ${maxColumns.toLocaleString('en')} columns.`)
  const available = children.map(({ element }) => element.name)
  const wanted = names.length === 0 ? available : names
  return wanted.map((name) => {
    const child = children.find(({ element }) => element.name === name)
    if (child === undefined)
      throw new TableError(`The file has no column “${name}”. Its columns are ${available.join(', ')}.`)
    if (child.children.length > 0 || child.element.repetition_type === 'REPEATED')
      throw new TableError(
        `The column “${name}” contains lists or groups, which have no text. Choose other columns.`,
      )
    return { name, element: child.element, text: columnTextOf(child.element) }
  })
}
