import {
  parquetMetadata,
  type FileMetaData,
  type RowGroup,
  type SchemaElement,
  type SchemaTree,
} from 'hyparquet'
import { parquetSchema } from 'hyparquet/src/metadata.js'
import { TableError, type ByteSource } from '../table.ts'
import { ColumnPages, type PageBudget } from './column-pages.ts'

/** Maximum size of the file metadata, in bytes. */
const maxFooterBytes = 32 * 1024 * 1024
const maxColumns = 10_000

/**
 * Reads the description of a Parquet file.
 * @throws TableError
 */
export async function readMetadata(source: ByteSource): Promise<FileMetaData> {
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

/**
 * Returns the columns of a file.
 * @throws TableError if it has none or too many
 */
export function columnsOf(metadata: FileMetaData): SchemaTree[] {
  const { children } = parquetSchema(metadata)
  if (children.length === 0) throw new TableError('The Parquet file has no columns.')
  if (children.length > maxColumns)
    throw new TableError(`The file has more than ${maxColumns.toLocaleString('en')} columns.`)
  return children
}

/** Returns whether a column has one value per row, not a list or a group. */
export function isFlat({ children, element }: SchemaTree): boolean {
  return children.length === 0 && element.repetition_type !== 'REPEATED'
}

/**
 * Opens a column of a row group.
 * @throws TableError
 */
export function openColumn(
  source: ByteSource,
  group: RowGroup,
  element: SchemaElement,
  budget: PageBudget,
): ColumnPages {
  const chunk = group.columns.find(({ meta_data: about }) => about?.path_in_schema.join('.') === element.name)
  if (chunk?.meta_data === undefined || chunk.file_path)
    throw new TableError(`The file has no values of the column “${element.name}”.`)
  return new ColumnPages(source, chunk.meta_data, element, { rows: Number(group.num_rows), budget })
}
