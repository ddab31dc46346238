import IconDatabaseImport from '@tabler/icons-react/dist/esm/icons/IconDatabaseImport.mjs'
import IconFileSpreadsheet from '@tabler/icons-react/dist/esm/icons/IconFileSpreadsheet.mjs'
import IconFileTypeCsv from '@tabler/icons-react/dist/esm/icons/IconFileTypeCsv.mjs'
import { type MenuEntry, saveBlob, toast, toastDownloadError } from '@headwater/web-kit'
import type { Tile } from '../../contract/index.ts'
import { fileNameOf } from './file-name.ts'
import { exportAs } from './export-forms.ts'
import { csvOf } from './export-table.ts'
import { useFileTitle, usePageRangeOf } from './page-range-of-tile.ts'
import { type TileExport, useExportHost, useTileExport } from './tile-exports.ts'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/**
 * Tells what a tile can leave the page as, and answers with the entries of its menu that do so.
 * @param options `csv`: whether an entry for CSV is wanted; tiles that have one of their own want none
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
    entries.push({
      label: 'Save as CSV',
      icon: <IconFileTypeCsv {...icon} />,
      onClick: () =>
        void withErrorToast(async () => {
          const made = await table()
          saveBlob(new Blob([csvOf(made)], { type: 'text/csv;charset=utf-8' }), fileNameOf(title, 'csv'))
          reportOmission(made.omission ?? exported.omission)
        }),
    })
  if (table !== undefined)
    entries.push({
      label: 'Save as XLSX',
      icon: <IconFileSpreadsheet {...icon} />,
      onClick: () =>
        void withErrorToast(async () => {
          const { content, omission } = await exportAs('xlsx', tile.title, exported)
          saveBlob(content, fileNameOf(title, 'xlsx'))
          reportOmission(omission)
        }),
    })
  if (saveToLake !== undefined)
    entries.push({
      label: 'Save to lake',
      icon: <IconDatabaseImport {...icon} />,
      onClick: () => saveToLake(tile.id),
    })
  return entries
}

/** Says which rows a saved file has when they are not all. */
export function reportOmission(omission: string | undefined): void {
  if (omission === undefined) return
  toast({ kind: 'warn', title: 'The file does not have all rows', text: omission })
}

async function withErrorToast(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    toastDownloadError(error)
  }
}
