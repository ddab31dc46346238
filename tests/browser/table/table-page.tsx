import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider, createMemoryRouter } from 'react-router'
import { type Column, DataTable, EmptyState, Page, type Sort, ThemeProvider } from '@headwater/web-kit'
import '@headwater/web-kit/theme/tokens.css'
import '@headwater/web-kit/theme/mantine.css'
import '@headwater/web-kit/theme/base.css'

interface Row {
  id: number
  name: string
}

const columns: Column<Row>[] = [
  { id: 'name', header: 'Name', width: 'minmax(160px, 2fr)', cell: (row) => row.name, sortable: true },
  { id: 'number', header: 'Number', width: 120, align: 'end', cell: (row) => row.id },
]

/** Enough columns for horizontal scrolling. */
const wideColumns: Column<Row>[] = Array.from({ length: 20 }, (_, at) => ({
  id: `c${at}`,
  header: `Column ${at}`,
  width: 120,
  cell: (row) => (at === 0 ? row.name : `${row.id}·${at}`),
}))

/** Parameters of the page: `?state=` is `full`, `loading`, `empty` or `error`, `?rows=` the number of rows, `?stays=` the number of frozen rows and columns. */
const query = new URLSearchParams(window.location.search)
const stays = Number(query.get('stays') ?? 0)
const rows = Array.from({ length: Number(query.get('rows') ?? 100_000) }, (_, id) => ({
  id,
  name: `row ${id}`,
}))
const reported: string[] = []
Object.assign(window, { reports: reported })

function TablePage() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [sort, setSort] = useState<Sort>({ column: 'name', order: 'asc' })
  const [state, setState] = useState(query.get('state') ?? 'full')
  return (
    <main style={{ display: 'flex', height: '100vh' }}>
      <Page>
        <h1>{selected.size} selected</h1>
        <DataTable
          label="Rows"
          columns={stays > 0 ? wideColumns : columns}
          stickyRows={stays}
          stickyColumns={stays}
          footerCell={stays > 0 ? (column) => `all ${column.id}` : undefined}
          rows={state === 'loading' ? undefined : state === 'empty' ? [] : rows}
          rowKey={(row) => String(row.id)}
          rowHeight={query.get('main') === null ? undefined : 36}
          error={state === 'error' ? new Error('The list broke.') : null}
          onRetry={() => setState('full')}
          empty={<EmptyState title="Nothing here yet" />}
          selected={selected}
          onSelectedChange={setSelected}
          sort={sort}
          onSortChange={(next) => {
            reported.push(`sort ${next.column} ${next.order}`)
            setSort(next)
          }}
          onEndReached={() => reported.push('end')}
          onOpenRow={(row) => reported.push(`open ${row.id}`)}
        />
      </Page>
    </main>
  )
}

const router = createMemoryRouter([{ path: '*', element: <TablePage /> }])

createRoot(document.getElementById('root')!).render(
  <ThemeProvider>
    <RouterProvider router={router} />
  </ThemeProvider>,
)
