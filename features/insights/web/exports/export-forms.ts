import { csvOf } from './export-table.ts'
import type { TileExport } from './tile-exports.ts'

/** In which form a tile leaves the page. */
export type ExportForm = 'csv' | 'xlsx' | 'png' | 'svg'

/** What each form is called. */
export const exportFormNames: Readonly<Record<ExportForm, string>> = {
  csv: 'CSV',
  xlsx: 'XLSX',
  png: 'Picture',
  svg: 'SVG',
}

/** The forms a tile can leave the page in. */
export function exportFormsOf({ table, picture, vector }: TileExport): ExportForm[] {
  return [
    ...(table === undefined ? [] : (['csv', 'xlsx'] as const)),
    ...(picture === undefined ? [] : (['png'] as const)),
    ...(vector === undefined ? [] : (['svg'] as const)),
  ]
}

/** A tile in a form, as the content of a file. */
export async function exportAs(
  form: ExportForm,
  title: string,
  { table, picture, vector }: TileExport,
): Promise<Blob> {
  switch (form) {
    case 'csv':
      return new Blob([csvOf(await table!())], { type: 'text/csv;charset=utf-8' })
    case 'xlsx': {
      const { xlsxOf } = await import('./xlsx.ts')
      return xlsxOf([{ name: title, table: await table!() }])
    }
    case 'png':
      return picture!()
    case 'svg':
      return new Blob([await vector!()], { type: 'image/svg+xml' })
  }
}
