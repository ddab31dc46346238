import { type ReactNode, useState } from 'react'
import { type Column, DataTable, GroupLink, links, Time } from '@headwater/web-kit'
import { formatSymbolParameter, type SymbolItem } from '../../contract/index.ts'
import { symbolText } from '../symbol-text.ts'
import { useSymbolKeys, useSymbols, type SymbolSort } from '../symbols-client.ts'
import type { SymbolAddress } from '../use-storage-state.ts'
import styles from './SymbolsTable.module.css'

/** Most keys that have a column of their own; a group with more shows them in one. */
const maxKeyColumns = 6

/** The symbols of one or all groups: searched, sorted, opened. */
export function SymbolsTable({
  groupName,
  text,
  opened,
  onOpen,
  empty,
}: {
  groupName: string | undefined
  text: string
  opened: SymbolAddress | undefined
  onOpen: (symbol: SymbolItem) => void
  empty: ReactNode
}) {
  const [sort, setSort] = useState<SymbolSort>()
  const keys = useSymbolKeys(groupName)
  const list = useSymbols(groupName, text, sort)
  const keyNames = groupName !== undefined && keys.data !== undefined ? keys.data : []
  const isSplit = keyNames.length > 0 && keyNames.length <= maxKeyColumns
  const columns: Column<SymbolItem>[] = [
    ...(isSplit
      ? keyNames.map((name, index) => keyColumn(name, index === 0 ? onOpen : undefined))
      : [wholeSymbol(onOpen)]),
    ...(groupName === undefined ? [groupColumn] : []),
    {
      id: 'columns',
      header: 'Columns',
      width: 'minmax(80px, 1.2fr)',
      quiet: true,
      text: columnNames,
      cell: columnNames,
    },
    dateColumn('firstDate', 'First', (symbol) => symbol.firstDate),
    dateColumn('lastDate', 'Last', (symbol) => symbol.lastDate),
  ]
  return (
    <DataTable
      {...list}
      {...(keys.error === null
        ? {}
        : { error: keys.error, rows: undefined, onRetry: () => void keys.refetch() })}
      label="Symbols"
      columns={columns}
      rowKey={rowKey}
      rowHeight={36}
      empty={empty}
      onOpenRow={onOpen}
      onSortChange={(next) => setSort({ column: next.column, order: next.order })}
      {...(sort === undefined ? {} : { sort })}
      {...(opened === undefined ? {} : { activeKey: rowKey(opened) })}
    />
  )
}

function rowKey({ groupName, symbols }: SymbolAddress): string {
  return `${groupName}/${formatSymbolParameter(symbols)}`
}

function columnNames({ columns }: SymbolItem): string {
  return columns.map((column) => column.name).join(', ') || '—'
}

function keyColumn(name: string, onOpen: ((symbol: SymbolItem) => void) | undefined): Column<SymbolItem> {
  const value = (symbol: SymbolItem) => (Object.hasOwn(symbol.symbols, name) ? symbol.symbols[name]! : '—')
  return {
    id: `symbols.${name}`,
    header: name,
    width: 'minmax(80px, 1fr)',
    sortable: true,
    text: value,
    cell: (symbol) =>
      onOpen === undefined ? (
        value(symbol)
      ) : (
        <OpenButton onClick={() => onOpen(symbol)}>{value(symbol)}</OpenButton>
      ),
  }
}

function wholeSymbol(onOpen: (symbol: SymbolItem) => void): Column<SymbolItem> {
  return {
    id: 'symbol',
    header: 'Symbol',
    width: 'minmax(140px, 3fr)',
    text: (symbol) => symbolText(symbol.symbols),
    cell: (symbol) => <OpenButton onClick={() => onOpen(symbol)}>{symbolText(symbol.symbols)}</OpenButton>,
  }
}

const groupColumn: Column<SymbolItem> = {
  id: 'groupName',
  header: 'Group',
  width: 'minmax(90px, 1fr)',
  sortable: true,
  text: (symbol) => symbol.groupName,
  cell: (symbol) => <GroupLink href={links.symbols(symbol.groupName)}>{symbol.groupName}</GroupLink>,
}

function dateColumn(
  id: string,
  header: string,
  value: (symbol: SymbolItem) => string | undefined,
): Column<SymbolItem> {
  return {
    id,
    header,
    width: 92,
    align: 'end',
    sortable: true,
    quiet: true,
    cell: (symbol) => <Time value={value(symbol) ?? null} show="date" timeZone="UTC" />,
  }
}

function OpenButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className={styles.open} onClick={onClick}>
      {children}
    </button>
  )
}
