import type { ComponentProps, ReactNode } from 'react'
import IconFileDiff from '@tabler/icons-react/dist/esm/icons/IconFileDiff.mjs'
import { Button, Page, PageHeader, type Column } from '@headwater/web-kit'
import {
  type ComparedVersions,
  CompareVersionsDialog,
  useComparedVersions,
} from './CompareVersionsDialog.tsx'
import { type VersionRow, VersionsTable } from './VersionsTable.tsx'

interface NamedVersion extends VersionRow {
  name: string
  groupName: string
}

/** The page with the versions of an item. Two of them can be compared. */
export function VersionsPage<Row extends NamedVersion>({
  title,
  actions,
  difference,
  ...table
}: Omit<ComponentProps<typeof VersionsTable<Row>>, 'columns' | 'rowHeight'> & {
  /** Title of the page. Default: the name in the route. */
  title?: string | undefined
  actions: ReactNode
  /** Renders the difference between two versions. */
  difference: (compared: ComparedVersions) => ReactNode
}) {
  const [compared, setCompared] = useComparedVersions()
  const [newest, earlier] = table.rows ?? []
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
    <>
      <Page>
        <PageHeader
          {...(title === undefined ? {} : { title })}
          actions={
            <>
              {newest === undefined || earlier === undefined ? null : (
                <Button
                  icon={<IconFileDiff size={16} stroke={1.6} aria-hidden="true" />}
                  onClick={() => setCompared({ before: earlier.version, after: newest.version })}
                >
                  Compare versions
                </Button>
              )}
              {actions}
            </>
          }
        />
        <VersionsTable {...table} rowHeight={36} columns={columns} />
      </Page>
      {compared === undefined || newest === undefined ? null : (
        <CompareVersionsDialog
          newest={newest.version}
          compared={compared}
          onChange={setCompared}
          onClose={() => setCompared(undefined)}
        >
          {difference(compared)}
        </CompareVersionsDialog>
      )}
    </>
  )
}
