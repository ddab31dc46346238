import type { FileMetaData, SchemaElement } from 'hyparquet'
import { TableError, type ByteSource } from '../table.ts'
import { CellCutter, shortName, type TablePreview, type TablePreviewOptions } from '../table-preview.ts'
import { PageBudget } from './column-pages.ts'
import { columnFormatOf, parquetTypeOf, type ColumnFormat } from './column-texts.ts'
import { columnsOf, isFlat, openColumn, readMetadata } from './parquet-metadata.ts'

/**
 * Reads the beginning of a Parquet file. Only one column is in memory at a time.
 * @throws TableError
 */
export async function parquetPreview(
  source: ByteSource,
  { maxRows, maxColumns, maxCellLength }: TablePreviewOptions,
): Promise<TablePreview> {
  const metadata = await readMetadata(source)
  const rowCount = rowsOf(metadata)
  const children = columnsOf(metadata)
  const cutter = new CellCutter(maxCellLength)
  const columns: TablePreview['columns'] = []
  const columnsWithoutText: TablePreview['columnsWithoutText'] = []
  const texts: (string | null)[][] = []
  for (const child of children) {
    if (columns.length === maxColumns) break
    const { element } = child
    const format = isFlat(child) ? unlessWithoutText(() => columnFormatOf(element)) : undefined
    const values = format && (await firstValues(source, metadata, element, Math.min(maxRows, rowCount)))
    const cells = values && unlessWithoutText(() => cellsOf(values, format!, cutter))
    const name = shortName(element.name)
    if (cells === undefined) columnsWithoutText.push({ name, type: parquetTypeOf(element) })
    else {
      columns.push({ name, type: format!.type })
      texts.push(cells)
    }
  }
  const rows = Array.from({ length: Math.min(maxRows, rowCount) }, (_, at) => ({
    number: at + 1,
    cells: texts.map((column) => column[at]!),
  }))
  return {
    sheets: [],
    sheetCount: 0,
    columns,
    columnCount: children.length,
    columnsWithoutText,
    rows,
    rowCount,
    isRowCountExact: true,
    hasCutTexts: cutter.hasCut,
  }
}

/** Returns the number of rows of all row groups. */
function rowsOf({ row_groups: groups }: FileMetaData): number {
  let count = 0
  for (const { num_rows: rows } of groups) {
    if (rows < 0n) throw new TableError('The Parquet file is damaged: a group has a negative number of rows.')
    count += Number(rows)
  }
  if (!Number.isSafeInteger(count)) throw new TableError('The Parquet file is damaged: it has too many rows.')
  return count
}

async function firstValues(
  source: ByteSource,
  { row_groups: groups }: FileMetaData,
  element: SchemaElement,
  count: number,
): Promise<unknown[]> {
  const values: unknown[] = []
  for (const group of groups) {
    const missing = Math.min(count - values.length, Number(group.num_rows))
    if (missing > 0)
      values.push(...(await openColumn(source, group, element, new PageBudget()).next(missing)))
  }
  return values
}

function cellsOf(values: unknown[], { text }: ColumnFormat, cutter: CellCutter): (string | null)[] {
  return values.map((value) => (value === null || value === undefined ? null : cutter.cut(text(value))))
}

/** Returns the result of `work`; undefined if a type or a value has no text. */
function unlessWithoutText<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof TableError) return undefined
    throw error
  }
}
