import { csvLines, csvRows } from '../csv-rows.ts'
import { withPlainValues, type ValueTexts } from '../plain-values.ts'
import { bytesOf, type ByteSource } from '../table.ts'

/** Conversion of a table that runs in a separate process. */
export interface TableConversion extends ValueTexts {
  /** Source and target format. CSV is in UTF-8. The separator of a source is detected; results use commas. */
  formats: 'XLSX to CSV' | 'CSV to XLSX' | 'Parquet to CSV' | 'CSV to Parquet'
  /** Name of the sheet of a workbook. Default: the first one. */
  sheet?: string | undefined
  /** Row of a workbook that contains the column names, from 1. Default: the first row that is not empty. */
  headerRow?: number | undefined
  /** Columns of a Parquet file. Default: all. */
  columns?: readonly string[] | undefined
}

/** Yields the result of a conversion. Each format is loaded when it is used. */
export async function* converted(
  source: ByteSource,
  { formats, sheet, headerRow, columns = [], ...texts }: TableConversion,
): AsyncGenerator<Uint8Array | string> {
  const rows = () => withPlainValues(csvRows(bytesOf(source)), texts)
  switch (formats) {
    case 'XLSX to CSV': {
      const { xlsxRows } = await import('../xlsx/xlsx-rows.ts')
      return yield* csvLines(withPlainValues(xlsxRows(source, { sheet, headerRow }), texts))
    }
    case 'CSV to XLSX': {
      const { xlsxFile } = await import('../xlsx/xlsx-file.ts')
      return yield* xlsxFile(rows())
    }
    case 'Parquet to CSV': {
      const { parquetRows } = await import('../parquet/parquet-rows.ts')
      return yield* csvLines(parquetRows(source, columns))
    }
    case 'CSV to Parquet': {
      const { parquetFile } = await import('../parquet/parquet-file.ts')
      return yield* parquetFile(rows)
    }
  }
}
