import IconDatabaseImport from '@tabler/icons-react/dist/esm/icons/IconDatabaseImport.mjs'
import IconFileSpreadsheet from '@tabler/icons-react/dist/esm/icons/IconFileSpreadsheet.mjs'
import IconFileTypeCsv from '@tabler/icons-react/dist/esm/icons/IconFileTypeCsv.mjs'
import { headingOf, type Tile } from '@headwater/tile-data/contract'
import { type MenuEntry, saveBlob, toast, toastDownloadError } from '@headwater/web-kit'
import { fileNameOf } from './file-name.ts'
import { exportAs } from './export-forms.ts'
import { csvOf } from './export-table.ts'
import { useFileTitle, usePageRangeOf } from './page-range-of-tile.ts'
import { type TileExport, useExportHost, useTileExport } from './tile-exports.ts'

/** Label of a CSV download whose texts are not escaped. */
export const exactCsvLabel = 'Exact values (CSV)'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/**
 * Registers the export of a tile and returns the entries of its menu.
 * @param options `csv`: whether the menu has an entry for CSV, default true
 */
export function useExportMenu(
  tile: Tile,
  given: TileExport,
  { csv = true }: { csv?: boolean } = {},
): MenuEntry[] {
  const range = usePageRangeOf(tile)
  const title = useFileTitle(tile)
  const exported: TileExport = { ...given, range }
  useTileExport(tile.id, exported)
  const { saveToLake } = useExportHost()
  const { state, table, picture } = exported
  if (state !== 'ready' || (table === undefined && picture === undefined) || tile.downloadable === false)
    return []
  const entries: MenuEntry[] = []
  if (table !== undefined && csv)
    for (const isExact of [false, true])
      entries.push({
        label: isExact ? exactCsvLabel : 'Save as CSV',
        icon: <IconFileTypeCsv {...icon} />,
        onClick: () =>
          void withErrorToast(async () => {
            const made = await table()
            const content = new Blob([csvOf(made, { isExact })], { type: 'text/csv;charset=utf-8' })
            saveBlob(content, fileNameOf(title, 'csv'))
            reportOmission(made.omission ?? exported.omission)
          }),
      })
  if (table !== undefined)
    entries.push({
      label: 'Save as XLSX',
      icon: <IconFileSpreadsheet {...icon} />,
      onClick: () =>
        void withErrorToast(async () => {
          const { content, omission } = await exportAs('xlsx', headingOf(tile), exported)
          saveBlob(content, fileNameOf(title, 'xlsx'))
          reportOmission(omission)
        }),
    })
  if (saveToLake !== undefined)
    entries.push({
      label: 'Save to data lake',
      icon: <IconDatabaseImport {...icon} />,
      onClick: () => saveToLake(tile.id),
    })
  return entries
}

/** Shows a message about rows that a saved file omits. */
export function reportOmission(omission: string | undefined): void {
  if (omission === undefined) return
  toast({ kind: 'warn', title: 'The file contains only some of the rows', text: omission })
}

async function withErrorToast(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    toastDownloadError(error)
  }
}
