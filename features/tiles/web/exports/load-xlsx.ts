import type * as Xlsx from './xlsx.ts'

/** Loads the XLSX writer on demand, because it is large. */
export function loadXlsx(): Promise<typeof Xlsx> {
  return import('./xlsx.ts')
}
