import type { ByteSource } from './table.ts'
import type { TablePreview, TablePreviewOptions } from './table-preview.ts'

/**
 * Reads the beginning of a table. Each format is loaded when it is used.
 * @throws TableError
 */
export async function readTablePreview(
  source: ByteSource,
  options: TablePreviewOptions,
): Promise<TablePreview> {
  if (options.format === 'XLSX') return (await import('./xlsx/xlsx-preview.ts')).xlsxPreview(source, options)
  return (await import('./parquet/parquet-preview.ts')).parquetPreview(source, options)
}
