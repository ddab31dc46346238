import { useNavigate } from 'react-router'
import { type Column, DataTable, type DataTableProps, TextLink, Time } from '@headwater/web-kit'

/** A row of the table of versions. */
export interface VersionRow {
  /** Number of the version. */
  version: number
  /** Whether it is the newest version. */
  latest: boolean
  /** Time of the save, ISO date-time in UTC. */
  modifyDate: string | null
}

/** The versions of an item, newest first. */
export function VersionsTable<Row extends VersionRow>({
  hrefOf,
  authorOf,
  columns,
  onLeave,
  ...table
}: Omit<DataTableProps<Row>, 'label' | 'rowKey' | 'onOpenRow'> & {
  hrefOf: (row: Row) => string
  authorOf: (row: Row) => string | null
  /** Called before a version is opened. */
  onLeave?: () => void
}) {
  const navigate = useNavigate()
  const version: Column<Row> = {
    id: 'version',
    header: 'Version',
    width: 120,
    cell: (row) => (
      <span onClickCapture={onLeave}>
        <TextLink href={hrefOf(row)}>{`v${row.version}${row.latest ? ' · latest' : ''}`}</TextLink>
      </span>
    ),
  }
  const saved: Column<Row>[] = [
    {
      id: 'by',
      header: 'Saved by',
      width: 'minmax(140px, 1fr)',
      text: (row) => authorOf(row) ?? '',
      cell: (row) => authorOf(row) ?? '—',
    },
    {
      id: 'date',
      header: 'Saved',
      width: 150,
      align: 'end',
      quiet: true,
      cell: ({ modifyDate }) => <Time value={modifyDate} show="datetime" />,
    },
  ]
  return (
    <DataTable
      {...table}
      label="Versions"
      columns={[version, ...columns, ...saved]}
      rowKey={(row) => String(row.version)}
      onOpenRow={(row) => {
        onLeave?.()
        void navigate(hrefOf(row))
      }}
    />
  )
}
