import type * as Xlsx from './xlsx.ts'

/** Loads the writer of XLSX workbooks, which is large, when the first workbook is written. */
export function loadXlsx(): Promise<typeof Xlsx> {
  return import('./xlsx.ts')
}
