import type { FileMetaData, SchemaElement } from 'hyparquet'
import { TableError, type ByteSource, type TableRow } from '../table.ts'
import { columnFormatOf, type ColumnText } from './column-texts.ts'
import { PageBudget } from './column-pages.ts'
import { columnsOf, isFlat, openColumn, readMetadata } from './parquet-metadata.ts'

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
    const readers = chosen.map(({ element }) => openColumn(source, group, element, budget))
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

function chooseColumns(metadata: FileMetaData, names: readonly string[]): Column[] {
  const children = columnsOf(metadata)
  const available = children.map(({ element }) => element.name)
  const wanted = names.length === 0 ? available : names
  return wanted.map((name) => {
    const child = children.find(({ element }) => element.name === name)
    if (child === undefined)
      throw new TableError(`The file has no column “${name}”. Its columns are ${available.join(', ')}.`)
    if (!isFlat(child))
      throw new TableError(
        `The column “${name}” contains lists or groups, which have no text. Choose other columns.`,
      )
    return { name, element: child.element, text: columnFormatOf(child.element).text }
  })
}
