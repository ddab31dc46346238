import { AllCommunityModule, createGrid, ModuleRegistry } from 'ag-grid-community'
import { cellsOf, offer } from './measuring-page.ts'

ModuleRegistry.registerModules([AllCommunityModule])

offer({
  make(container, rowCount) {
    const columnDefs = ['Time', 'Name', 'A', 'B', 'C', 'D'].map((headerName, column) => ({
      headerName,
      width: 180,
      valueGetter: ({ data }: { data?: { row: number } }) => cellsOf(data!.row)[column],
    }))
    const host = document.createElement('div')
    Object.assign(host.style, { width: '100%', height: '100%' })
    container.append(host)
    createGrid(host, { columnDefs, rowData: Array.from({ length: rowCount }, (_, row) => ({ row })) })
  },
  showsLast: (container, rowCount) => container.textContent.includes(cellsOf(rowCount - 1)[0]!),
})
