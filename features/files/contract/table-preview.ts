import { z } from 'zod'
import { defineRoute } from '@headwater/contract'
import { extensionOf } from './file-type.ts'
import { fid } from './path-parts.ts'

/** Maximum number of rows of the preview of a table. */
export const maxTableRows = 100
/** Maximum number of columns of the preview of a table. */
export const maxTableColumns = 100
/** Maximum number of characters of a cell of the preview of a table. */
export const maxTableCellLength = 200
/** Maximum number of sheets that a preview lists. */
const maxTableSheets = 200

/** A format of tables with a preview. */
export interface TableFormat {
  /** Name of the format. */
  format: 'XLSX' | 'Parquet'
  /** Maximum size of a file with a preview, in bytes. */
  maxBytes: number
}

const tableFormats = new Map<string, TableFormat>([
  ['xlsx', { format: 'XLSX', maxBytes: 100_000_000 }],
  ['parquet', { format: 'Parquet', maxBytes: 5_000_000_000 }],
])

/** Returns the format of a table with a preview; undefined for other files. */
export function tableFormatOf(fileName: string): TableFormat | undefined {
  return tableFormats.get(extensionOf(fileName))
}

/** The beginning of a table. */
export const tablePreview = z.object({
  format: z.enum(['XLSX', 'Parquet']).describe('Format of the file.'),
  sheets: z
    .array(z.string())
    .describe(`Names of the first ${maxTableSheets} sheets of a workbook; empty for Parquet.`),
  sheetCount: z.int().describe('Number of sheets with cells.'),
  columns: z
    .array(
      z.object({
        name: z
          .string()
          .describe('Label of the column of a sheet, such as AB, or name of the column of a Parquet file.'),
        type: z
          .enum([
            'text',
            'integer',
            'number',
            'decimal',
            'boolean',
            'date',
            'timestamp',
            'time',
            'mixed',
            'empty',
          ])
          .describe(
            'Type of the values; in a sheet, the type of the listed cells below the first row. `mixed`: several types. `empty`: no values.',
          ),
      }),
    )
    .describe(`The first ${maxTableColumns} columns with values that have a text.`),
  columnCount: z
    .int()
    .describe('Number of columns: of the widest listed row of a sheet, or of the whole Parquet file.'),
  columnsWithoutText: z
    .array(
      z.object({
        name: z.string().describe('Name of the column.'),
        type: z.string().describe('Parquet type, such as LIST.'),
      }),
    )
    .describe('Columns before the last listed one that are omitted because their values have no text.'),
  rows: z
    .array(
      z.object({
        number: z.int().describe('Number of the row in the sheet or in the Parquet file, from 1.'),
        cells: z
          .array(z.string().nullable())
          .describe(
            `Texts of the listed columns, each with at most ${maxTableCellLength} characters; null for a missing value. Dates are in ISO 8601. A formula has its stored value, or its text if none is stored.`,
          ),
      }),
    )
    .describe(`The first ${maxTableRows} rows with a value.`),
  rowCount: z
    .int()
    .describe('Number of rows with a value in a sheet; for a Parquet file, the number of all rows.'),
  isRowCountExact: z.boolean().describe('Whether all rows were counted. If false, there are more.'),
  hasCutTexts: z.boolean().describe('Whether listed texts were truncated.'),
  problem: z
    .string()
    .optional()
    .describe('Reason why the rows after the listed ones cannot be read; absent if no problem is known.'),
})
/** The beginning of a table, as a type. */
export type TablePreview = z.infer<typeof tablePreview>

/** Route `GET /file/:fid/table`. */
export const previewTable = defineRoute({
  name: 'previewTable',
  method: 'GET',
  path: '/file/:fid/table',
  summary: 'Column types, first rows and sheets of an XLSX or Parquet file.',
  permission: { resource: 'Lake/Files', mode: 'R' },
  params: fid,
  query: z.object({
    sheet: z.coerce.number().int().min(1).default(1).describe('Position of the sheet of a workbook, from 1.'),
  }),
  output: tablePreview,
  errors: ['fileNotFound', 'notTableFile', 'tableTooLarge', 'tableNotReadable', 'tooManyTablePreviews'],
})
