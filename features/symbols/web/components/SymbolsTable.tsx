import { type ReactNode, useMemo, useState } from 'react'
import { DataTable } from '@headwater/web-kit'
import type { SymbolItem, SymbolKey } from '../../contract/index.ts'
import { cellText, offeredColumns, shownColumns, tableColumns } from '../symbol-columns.tsx'
import { useSymbolRows, type SymbolRow } from '../symbols-client.ts'
import { addressKey, type SymbolAddress, type SymbolSearch, type SymbolSort } from '../use-storage-state.ts'
import type { TableColumns } from '../use-table-columns.ts'
import styles from './SymbolsTable.module.css'

/** The symbols that a search finds: sorted, chosen, opened. */
export function SymbolsTable(props: {
  search: SymbolSearch
  keys: readonly SymbolKey[]
  columns: TableColumns
  onResize: (column: string, widthPx: number) => void
  opened: SymbolAddress | undefined
  onOpen: (symbol: SymbolItem) => void
  onSort: (sort: SymbolSort) => void
  /** The chosen symbols by their keys. */
  chosen: ReadonlyMap<string, SymbolItem>
  onChoose: (chosen: ReadonlyMap<string, SymbolItem>) => void
  /** Tells how many symbols there are. */
  children: (found: { total: number | undefined; isAtLeast: boolean }) => ReactNode
  empty: ReactNode
  /** False while it is not known which columns there are. */
  isReady: boolean
  error?: Error | undefined
}) {
  const { search, keys, columns, onResize, opened, onOpen, onSort, chosen, onChoose, children, empty } = props
  const place = searchKey(search)
  const [visible, setVisible] = useState({ place, first: 0, last: 0 })
  const offered = useMemo(() => offeredColumns(search.groupName, keys), [search.groupName, keys])
  const isOfFile = search.fileId !== undefined
  const ids = shownColumns(offered, columns).filter((id) => !isOfFile || id !== 'pointCount')
  const list = useSymbolRows(search, visible.place === place ? visible : { first: 0, last: 0 }, {
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
        key={place}
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
        onVisibleChange={(first, last) => setVisible({ place, first, last })}
        onColumnResize={onResize}
        {...(isOfFile
          ? {}
          : { onSortChange: onSort, ...(search.sort === undefined ? {} : { sort: search.sort }) })}
        {...(opened === undefined ? {} : { activeKey: addressKey(opened) })}
      />
    </>
  )
}

/** With it changes what is found, or the order. */
function searchKey(search: SymbolSearch): string {
  return JSON.stringify(search)
}

function rowKey({ index, symbol }: SymbolRow): string {
  return symbol === undefined ? `#${index}` : addressKey(symbol)
}
