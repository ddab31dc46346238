import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider, createMemoryRouter } from 'react-router'
import {
  Button,
  type Column,
  ConfirmDialog,
  ContextMenu,
  DataTable,
  DetailsPanel,
  Dialog,
  EmptyState,
  Menu,
  type MenuEntry,
  Page,
  type Sort,
  TextField,
  ThemeProvider,
} from '@headwater/web-kit'
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

const actions: Column<Row> = {
  id: 'actions',
  header: <span className="visually-hidden">Actions</span>,
  width: 80,
  cell: () => <Button size="small">Archive</Button>,
}

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

/** A list whose rows open a panel, in which they can be deleted. */
function PanelPage() {
  const [left, setLeft] = useState(rows)
  const [opened, setOpened] = useState<Row>()
  const [deleted, setDeleted] = useState<Row>()
  const [renamed, setRenamed] = useState<Row>()
  const [name, setName] = useState('')
  const [step, setStep] = useState(0)
  const [menu, setMenu] = useState<{ row: Row; at: { x: number; y: number } }>()
  const menuOf = (row: Row): MenuEntry[] => [
    { label: 'Details', onClick: () => setOpened(row) },
    { label: 'Delete', onClick: () => setDeleted(row) },
    { label: 'Rename', onClick: () => setRenamed(row) },
    { label: 'Steps', onClick: () => setStep(1) },
  ]
  return (
    <main id="page" tabIndex={-1} style={{ display: 'flex', height: '100vh' }}>
      <Page
        aside={
          opened === undefined ? undefined : (
            <DetailsPanel
              id={String(opened.id)}
              label="Row details"
              title={opened.name}
              onClose={() => setOpened(undefined)}
            >
              <Button onClick={() => setOpened(rows[opened.id + 1])} key={opened.id}>
                Next row
              </Button>
              <Button onClick={() => setDeleted(opened)}>Delete</Button>
            </DetailsPanel>
          )
        }
      >
        <h1>{left.length} rows</h1>
        {left[0] === undefined ? null : (
          <Menu trigger={<Button>Actions for the first row</Button>} items={menuOf(left[0])} />
        )}
        <DataTable
          label="Rows"
          columns={[...columns, actions]}
          rows={left}
          rowKey={(row) => String(row.id)}
          rowHeight={36}
          opensOnClick
          onOpenRow={setOpened}
          onRowContextMenu={(row, at) => setMenu({ row, at })}
        />
        <ContextMenu
          at={menu?.at ?? null}
          onClose={() => setMenu(undefined)}
          items={menu === undefined ? [] : menuOf(menu.row)}
        />
        <ConfirmDialog
          open={deleted !== undefined}
          title="Delete row"
          confirmLabel="Delete"
          onClose={() => setDeleted(undefined)}
          onConfirm={() => {
            setLeft(left.filter((row) => row !== deleted))
            setOpened(undefined)
          }}
        />
        <ConfirmDialog
          open={renamed !== undefined}
          title="Rename row"
          confirmLabel="Rename"
          onClose={() => setRenamed(undefined)}
          onConfirm={() => {
            if (name === '') throw new Error('Enter a name.')
            setLeft(left.map((row) => (row === renamed ? { ...row, name } : row)))
          }}
        >
          <TextField label="Name" value={name} onChange={setName} autoFocus />
        </ConfirmDialog>
        <Dialog
          open={step > 0}
          title="Steps"
          onClose={() => setStep(0)}
          actions={
            <>
              <Button disabled={step === 1} onClick={() => setStep(1)} data-next-focus>
                Back
              </Button>
              {step < 3 ? <Button onClick={() => setStep(step + 1)}>Next</Button> : null}
            </>
          }
        >
          {step === 1 ? <Button onClick={() => setStep(2)}>Skip</Button> : `Step ${step}`}
        </Dialog>
      </Page>
    </main>
  )
}

const router = createMemoryRouter([
  { path: '*', element: query.has('panel') ? <PanelPage /> : <TablePage /> },
])

createRoot(document.getElementById('root')!).render(
  <ThemeProvider>
    <RouterProvider router={router} />
  </ThemeProvider>,
)
