import { useNavigate } from 'react-router'
import {
  ActionsButton,
  type Column,
  DataTable,
  type DataTableProps,
  Menu,
  type MenuEntry,
} from '@headwater/web-kit'

/** A list of items. */
export interface ItemTableProps<Row> extends Omit<DataTableProps<Row>, 'rowHeight' | 'rowKey' | 'onOpenRow'> {
  /** Returns the name of an item. */
  nameOf: (row: Row) => string
  /** Returns the URL that a row opens; undefined if the user cannot open items. */
  hrefOf: ((row: Row) => string) | undefined
  /** Returns the items of the menu of a row. */
  actionsOf: (row: Row) => MenuEntry[]
}

/** The table of the items of one kind: each row opens its item and ends with a menu. */
export function ItemTable<Row extends { id: string }>({
  nameOf,
  hrefOf,
  actionsOf,
  columns,
  ...table
}: ItemTableProps<Row>) {
  const navigate = useNavigate()
  const actions: Column<Row> = {
    id: 'actions',
    header: <span className="visually-hidden">Actions</span>,
    width: 28,
    cell: (row) => <Menu trigger={<ActionsButton name={nameOf(row)} />} items={actionsOf(row)} />,
  }
  return (
    <DataTable
      {...table}
      rowHeight={36}
      columns={[...columns, actions]}
      rowKey={({ id }) => id}
      {...(hrefOf === undefined ? {} : { onOpenRow: (row: Row) => void navigate(hrefOf(row)) })}
    />
  )
}
