import type { KeyboardEvent } from 'react'
import type { DataTableProps } from './table-props.ts'

/** Handles a key on a row or on a control inside it. */
export function handleRowKey<Row>(
  event: KeyboardEvent<HTMLDivElement>,
  {
    rows = [],
    rowKey,
    selected,
    selectsOne,
    onSelectedChange,
    onOpenRow,
    onRowContextMenu,
  }: Pick<
    DataTableProps<Row>,
    'rows' | 'rowKey' | 'selected' | 'selectsOne' | 'onSelectedChange' | 'onOpenRow' | 'onRowContextMenu'
  >,
  {
    rowsPerPage,
    focusRow,
    toggle,
  }: {
    rowsPerPage: number
    focusRow: (index: number) => void
    toggle: (index: number, range: boolean) => void
  },
): void {
  const row = (event.target as HTMLElement).closest<HTMLElement>('[data-index]')
  if (row === null) return
  const onRow = event.target === row
  const index = Number(row.dataset.index)
  const page = Math.max(1, rowsPerPage)
  const to = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + page,
    PageUp: index - page,
    Home: 0,
    End: rows.length - 1,
  }[event.key]
  if (to !== undefined && (onRow || event.key.startsWith('Arrow'))) {
    event.preventDefault()
    if (event.shiftKey && selected && !selectsOne) toggle(Math.min(rows.length - 1, Math.max(0, to)), true)
    focusRow(to)
  } else if (event.key === ' ' && onRow && selected) {
    event.preventDefault()
    toggle(index, event.shiftKey)
  } else if (event.key === 'Enter' && onRow) {
    onOpenRow?.(rows[index]!)
  } else if (event.key === 'a' && (event.ctrlKey || event.metaKey) && selected && !selectsOne) {
    event.preventDefault()
    onSelectedChange?.(new Set(rows.map(rowKey)))
  } else if ((event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) && onRowContextMenu) {
    event.preventDefault()
    const box = row.getBoundingClientRect()
    onRowContextMenu(rows[index]!, { x: box.left + 48, y: box.bottom })
  }
}
