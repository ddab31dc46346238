import IconFileTypeCsv from '@tabler/icons-react/dist/esm/icons/IconFileTypeCsv.mjs'
import type { Tile } from '@headwater/tile-data/contract'
import { type Patterns, tableCsv } from '@headwater/tile-data/core'
import { type MenuEntry, message, nothingToDownload, saveBlob } from '@headwater/web-kit'
import { seriesState } from '../../card/series-state.ts'
import { exactCsvLabel, reportOmission, useExportMenu } from '../../exports/export-menu.tsx'
import { fileNameOf } from '../../exports/file-name.ts'
import { useFileTitle } from '../../exports/page-range-of-tile.ts'
import { createCellLooks } from './cell-looks.ts'
import { exportTableOf } from './table-export.ts'
import type { TableRows } from './use-table-rows.ts'

/** Registers the export of a table and returns the entries of its menu. */
export function useTableMenu(
  tile: Tile,
  { definition, data, columns, rows }: TableRows,
  loadPatterns: () => Promise<Patterns | undefined>,
): MenuEntry[] {
  const { timeZone } = data.range
  const state = seriesState(data)
  const fileTitle = useFileTitle(tile)
  const exportMenu = useExportMenu(
    tile,
    {
      ...state,
      table: async () => {
        const looks = createCellLooks(definition, { rows, patterns: await loadPatterns() })
        return exportTableOf(columns, rows, timeZone, looks)
      },
    },
    { csv: false },
  )
  function saveCsv(isExact: boolean) {
    if (rows.length === 0) return message(nothingToDownload, 'error')
    const content = new Blob([tableCsv(columns, rows, timeZone, { isExact })], {
      type: 'text/csv;charset=utf-8',
    })
    saveBlob(content, fileNameOf(fileTitle, 'csv'))
    reportOmission(state.omission)
  }
  if ((rows.length === 0 && state.state !== 'ready') || tile.downloadable === false) return []
  const icon = <IconFileTypeCsv size={16} stroke={1.6} />
  return [
    { label: 'Save as CSV', icon, onClick: () => saveCsv(false) },
    { label: exactCsvLabel, icon, onClick: () => saveCsv(true) },
    ...(rows.length === 0 ? [] : exportMenu),
  ]
}
