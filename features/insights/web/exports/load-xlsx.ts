/** Loads the writer of XLSX workbooks, which is large, when the first workbook is written. */
export function loadXlsx(): Promise<typeof import('./xlsx.ts')> {
  return import('./xlsx.ts')
}
