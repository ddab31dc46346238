import type { ComponentProps, ReactNode } from 'react'
import { Page, PageHeader, type Column } from '@headwater/web-kit'
import { type VersionRow, VersionsTable } from './VersionsTable.tsx'

interface NamedVersion extends VersionRow {
  name: string
  groupName: string
}

/** The page with the versions of an item. */
export function VersionsPage<Row extends NamedVersion>({
  title,
  actions,
  ...table
}: Omit<ComponentProps<typeof VersionsTable<Row>>, 'columns' | 'rowHeight'> & {
  /** Title of the page. Default: the name in the route. */
  title?: string | undefined
  actions: ReactNode
}) {
  const columns: Column<Row>[] = [
    {
      id: 'name',
      header: 'Name',
      width: 'minmax(140px, 1fr)',
      text: ({ name }) => name,
      cell: ({ name }) => name,
    },
    {
      id: 'group',
      header: 'Group',
      width: 'minmax(110px, 1fr)',
      quiet: true,
      priority: 1,
      text: ({ groupName }) => groupName,
      cell: ({ groupName }) => groupName,
    },
  ]
  return (
    <Page>
      <PageHeader {...(title === undefined ? {} : { title })} actions={actions} />
      <VersionsTable {...table} rowHeight={36} columns={columns} />
    </Page>
  )
}
