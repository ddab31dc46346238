// The peer of the CSV editors: papaparse in a worker, and for the editor its rows in AG Grid, as their documentation shows it.
import { AllCommunityModule, createGrid, ModuleRegistry } from 'ag-grid-community'
import type PapaParse from 'papaparse'

declare global {
  // A separate script element loads it, because its worker needs the file as it was published.
  const Papa: typeof PapaParse
  interface Window {
    /** Opens a file; resolves with the number of rows once the first is visible, or parsed if there is no grid. */
    openCsv: (path: string, withGrid: boolean) => Promise<number>
    /** Rows of the file that was opened last, because an editor keeps them in memory. */
    rows: string[][]
  }
}

ModuleRegistry.registerModules([AllCommunityModule])

window.openCsv = async (path, withGrid) => {
  const file = new File([await (await fetch(path)).blob()], 'measured.csv')
  const rows: string[][] = []
  window.rows = rows
  await new Promise<void>((resolve, reject) => {
    Papa.parse<string[]>(file, {
      worker: true,
      chunk: ({ data }) => {
        for (const row of data) rows.push(row)
      },
      complete: () => resolve(),
      error: reject,
    })
  })
  if (!withGrid) return rows.length
  const host = document.createElement('div')
  Object.assign(host.style, { width: '1200px', height: '700px' })
  document.body.append(host)
  const columnDefs = rows[0]!.map((headerName, column) => ({
    headerName,
    editable: true,
    valueGetter: ({ data }: { data?: string[] }) => data?.[column],
  }))
  createGrid(host, { columnDefs, rowData: rows.slice(1) })
  while (!host.textContent.includes(rows[1]![0]!))
    await new Promise((resolve) => requestAnimationFrame(resolve))
  return rows.length
}
