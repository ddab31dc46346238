export { parseDateText, parseNumberText } from './cell-values.ts'
export { detectedFormat } from './iso-dates.ts'
export { withPlainValues } from './plain-values.ts'
export type { ValueTexts } from './plain-values.ts'
export { csvLines, csvRows } from './csv-rows.ts'
export type { TableConversion } from './isolated/conversion.ts'
export { convertTable } from './isolated/convert-table.ts'
export { previewTable } from './isolated/preview-table.ts'
export type { TablePreview } from './table-preview.ts'
export { bytesOf, requireHeader, requireWidth, sourceOf, TableError } from './table.ts'
export type { ByteSource, TableRow } from './table.ts'
export {
  findZipDirectory,
  localHeaderBytes,
  localHeaderSize,
  readZipDirectory,
  ZipError,
} from './zip/zip-directory.ts'
export { zipOf } from './zip/zip-writer.ts'
export type { ZipRecord } from './zip/zip-directory.ts'
