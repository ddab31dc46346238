import { z } from 'zod'
import { defineRoute } from '@headwater/contract'
import { fid } from './path-parts.ts'

/** Maximum number of rows of a preview. */
export const maxPreviewRows = 50
/** Maximum number of columns of a preview. */
export const maxPreviewColumns = 200
/** Maximum number of symbols of a preview. */
export const maxPreviewSymbols = 100
/** Number of bytes at the beginning of a file that a preview reads. */
export const previewedBytes = 32 * 1024 * 1024

/** The beginning of a series file, with facts about its rows. */
export const seriesPreview = z.object({
  columns: z
    .array(
      z.object({
        name: z.string().describe('Name without its type.'),
        kind: z.enum(['symbol', 'date', 'value', 'metadata']).describe('Purpose of the column.'),
        type: z
          .enum(['string', 'double', 'integer', 'date'])
          .describe('Type of its cells; a symbol column contains strings.'),
      }),
    )
    .describe(`The first ${maxPreviewColumns} columns, in the order of the file.`),
  columnCount: z.int().describe('Number of columns.'),
  timezone: z
    .string()
    .optional()
    .describe('Time zone of dates without an offset; absent for a file of metadata only.'),
  rows: z
    .array(
      z.object({
        line: z.int().describe('Line of the file, from 1.'),
        cells: z.array(z.string()).describe('Cells of the listed columns, each with at most 200 characters.'),
      }),
    )
    .describe(`The first ${maxPreviewRows} rows.`),
  rowCount: z.int().describe('Number of rows, without the header.'),
  symbols: z
    .array(z.record(z.string(), z.string()))
    .describe(`Keys and values of the first ${maxPreviewSymbols} symbols, in the order of the file.`),
  symbolCount: z.int().describe('Number of symbols.'),
  firstDate: z
    .string()
    .optional()
    .describe('Earliest date of the rows, ISO date-time in UTC; absent without dates.'),
  lastDate: z.string().optional().describe('Latest date of the rows, in the same format.'),
  isWhole: z
    .boolean()
    .describe(
      `Whether the counts and dates cover the whole file. If false, they cover its first ${previewedBytes / 1024 / 1024} MiB.`,
    ),
  problem: z
    .string()
    .optional()
    .describe(
      'Reason why the file is not a valid series file; absent for a valid file. Rows before the problem are listed.',
    ),
})
/** The beginning of a series file, as a type. */
export type SeriesPreview = z.infer<typeof seriesPreview>

/** Route `GET /file/:fid/series`. */
export const previewSeries = defineRoute({
  name: 'previewSeries',
  method: 'GET',
  path: '/file/:fid/series',
  summary: 'Column types, first rows, symbols and dates of a series file (NCSV).',
  permission: { resource: 'Lake/Files', mode: 'R' },
  params: fid,
  output: seriesPreview,
  errors: ['fileNotFound', 'notSeriesFile'],
})
