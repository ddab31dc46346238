import { type ReactNode, useMemo, useState } from 'react'
import { DataTable } from '@headwater/web-kit'
import type { SymbolItem, SymbolKey } from '../../contract/index.ts'
import { cellText, offeredColumns, visibleColumns, tableColumns } from '../symbol-columns.tsx'
import { useSymbolRows, type SymbolRow } from '../symbols-client.ts'
import { addressKey, type SymbolAddress, type SymbolSearch, type SymbolSort } from '../use-storage-state.ts'
import type { TableColumns } from '../use-table-columns.ts'
import styles from './SymbolsTable.module.css'

/** Table of the symbols that match a search; rows can be sorted, selected and opened. */
export function SymbolsTable(props: {
  search: SymbolSearch
  keys: readonly SymbolKey[]
  columns: TableColumns
  onResize: (column: string, widthPx: number) => void
  opened: SymbolAddress | undefined
  onOpen: (symbol: SymbolItem) => void
  onSort: (sort: SymbolSort) => void
  /** Selected symbols by address. */
  chosen: ReadonlyMap<string, SymbolItem>
  onChoose: (chosen: ReadonlyMap<string, SymbolItem>) => void
  /** Renders the heading with the number of symbols. */
  children: (matches: { total: number | undefined; isAtLeast: boolean }) => ReactNode
  empty: ReactNode
  /** False while the columns are being loaded. */
  isReady: boolean
  error?: Error | undefined
}) {
  const { search, keys, columns, onResize, opened, onOpen, onSort, chosen, onChoose, children, empty } = props
  const listKey = searchKey(search)
  const [visible, setVisible] = useState({ listKey, first: 0, last: 0 })
  const offered = useMemo(() => offeredColumns(search.groupName, keys), [search.groupName, keys])
  const isOfFile = search.fileId !== undefined
  const ids = visibleColumns(offered, columns).filter((id) => !isOfFile || id !== 'pointCount')
  const list = useSymbolRows(search, visible.listKey === listKey ? visible : { first: 0, last: 0 }, {
    withCounts: ids.includes('pointCount'),
  })
  const error = props.error ?? list.error
  const drawn = tableColumns(ids, offered, columns, (symbol) => (
    <button type="button" className={styles.open} onClick={() => onOpen(symbol)}>
      {cellText(ids[0] ?? 'symbol', symbol)}
    </button>
  ))
  const choose = (selected: ReadonlySet<string>) => {
    const known = new Map(chosen)
    for (const { symbol } of list.rows ?? []) if (symbol !== undefined) known.set(addressKey(symbol), symbol)
    onChoose(
      new Map([...selected].flatMap((key) => (known.has(key) ? [[key, known.get(key)!] as const] : []))),
    )
  }
  return (
    <>
      {children({ total: list.total, isAtLeast: list.isAtLeast })}
      <DataTable
        key={listKey}
        label="Symbols"
        columns={drawn}
        rows={error === null && props.isReady ? list.rows : undefined}
        error={error}
        onRetry={list.onRetry}
        rowKey={rowKey}
        rowHeight={36}
        empty={empty}
        selected={new Set(chosen.keys())}
        onSelectedChange={choose}
        opensOnClick
        onOpenRow={({ symbol }) => symbol !== undefined && onOpen(symbol)}
        onVisibleChange={(first, last) => setVisible({ listKey, first, last })}
        onColumnResize={onResize}
        {...(isOfFile
          ? {}
          : { onSortChange: onSort, ...(search.sort === undefined ? {} : { sort: search.sort }) })}
        {...(opened === undefined ? {} : { activeKey: addressKey(opened) })}
      />
    </>
  )
}

/** Returns a key that changes with the matches or their order. */
function searchKey(search: SymbolSearch): string {
  return JSON.stringify(search)
}

function rowKey({ index, symbol }: SymbolRow): string {
  return symbol === undefined ? `#${index}` : addressKey(symbol)
}
