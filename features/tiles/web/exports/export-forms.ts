import { loadXlsx } from './load-xlsx.ts'
import { csvOf, type ExportTable } from './export-table.ts'
import { sheetOmission } from './sheet-omission.ts'
import type { TileExport } from './tile-exports.ts'

/** Export formats of a tile. */
export type ExportForm = 'csv' | 'xlsx' | 'png' | 'svg'

/** Labels of the export formats. */
export const exportFormNames: Readonly<Record<ExportForm, string>> = {
  csv: 'CSV',
  xlsx: 'XLSX',
  png: 'PNG',
  svg: 'SVG',
}

/** Returns the export formats of a tile. */
export function exportFormsOf({ table, picture, vector }: TileExport): ExportForm[] {
  return [
    ...(table === undefined ? [] : (['csv', 'xlsx'] as const)),
    ...(picture === undefined ? [] : (['png'] as const)),
    ...(vector === undefined ? [] : (['svg'] as const)),
  ]
}

/** Exports a tile. `omission`: note about the rows that the file contains, if not all. */
export async function exportAs(
  form: ExportForm,
  title: string,
  exported: TileExport,
): Promise<{ content: Blob; omission: string | undefined }> {
  const { table, picture, vector } = exported
  switch (form) {
    case 'csv': {
      const made = await table!()
      const content = new Blob([csvOf(made)], { type: 'text/csv;charset=utf-8' })
      return { content, omission: made.omission ?? exported.omission }
    }
    case 'xlsx': {
      const { xlsxOf } = await loadXlsx()
      const made = await table!()
      const omission = sheetOmission(made, exported.omission)
      const content = await xlsxOf([
        { name: title, table: made },
        ...noteSheets(title, { omission, range: exported.range }),
      ])
      return { content, omission }
    }
    case 'png':
      return { content: await picture!(), omission: exported.omission }
    case 'svg':
      return {
        content: new Blob([await vector!()], { type: 'image/svg+xml' }),
        omission: exported.omission,
      }
  }
}

/** Returns a sheet with notes about omitted rows and the range of the page, if any. */
function noteSheets(
  title: string,
  { omission, range }: Pick<TileExport, 'omission' | 'range'>,
): { name: string; table: ExportTable }[] {
  const notes = [omission, range === undefined ? undefined : `Range chosen for the page: ${range}.`]
  const rows = notes.flatMap((note) => (note === undefined ? [] : [[title, note]]))
  if (rows.length === 0) return []
  const columns = ['Tile', 'Note'].map((name) => ({ name, kind: 'text' as const }))
  return [{ name: 'Note', table: { columns, rows } }]
}
