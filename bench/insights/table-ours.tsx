import { createRoot } from 'react-dom/client'
import { RouterProvider, createMemoryRouter } from 'react-router'
import { type Column, DataTable, ThemeProvider } from '@headwater/web-kit'
import '@headwater/web-kit/theme/tokens.css'
import '@headwater/web-kit/theme/mantine.css'
import '@headwater/web-kit/theme/base.css'
import { cellsOf, offer } from './measuring-page.ts'

const columns: Column<number>[] = ['Time', 'Name', 'A', 'B', 'C', 'D'].map((header, column) => ({
  id: header,
  header,
  width: 180,
  align: column > 1 ? 'end' : undefined,
  cell: (row) => cellsOf(row)[column],
}))

offer({
  make(container, rowCount) {
    const rows = Array.from({ length: rowCount }, (_, row) => row)
    const table = <DataTable label="Rows" columns={columns} rows={rows} rowKey={String} />
    createRoot(container).render(
      <ThemeProvider>
        <RouterProvider router={createMemoryRouter([{ path: '*', element: table }])} />
      </ThemeProvider>,
    )
  },
  showsLast: (container, rowCount) => container.textContent.includes(cellsOf(rowCount - 1)[0]!),
})
