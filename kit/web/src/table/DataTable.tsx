import { type CSSProperties, useMemo } from 'react'
import { ErrorState, NothingFound } from '../ui/ErrorState.tsx'
import styles from './DataTable.module.css'
import { LoadedTable } from './LoadedTable.tsx'
import { LoadingTable } from './LoadingTable.tsx'
import { TableHeader } from './TableHeader.tsx'
import { columnsThatFit, tracksOf } from './column-tracks.ts'
import { phoneColumns } from './phone-columns.tsx'
import { shortColumns } from './short-columns.ts'
import type { DataTableProps } from './table-props.ts'
import { useWindowMatches } from '../ui/use-window-matches.ts'
import { useWidth } from './use-width.ts'

/**
 * A list of rows with a fixed header, selection and sorting. Only the visible rows are in the document, so that millions of
 * rows scroll smoothly to the last one. Arrow keys, Page Up and Down, Home and End move; Space selects; Enter opens; Ctrl+A selects all.
 * On a phone, main lists have one column, which contains the name and the values of the other columns.
 */
export function DataTable<Row>(given: DataTableProps<Row>) {
  const { label, rows, error, onRetry, empty, selected, totalCount } = given
  const selectable = selected !== undefined
  const [widthPx, measured] = useWidth()
  const isNarrow = useWindowMatches('(width < 768px)')
  const isMainList = given.rowHeight === 36
  const onPhone = useMemo(
    () => (isNarrow && isMainList ? phoneColumns(given.columns) : undefined),
    [given.columns, isNarrow, isMainList],
  )
  const rowPx = onPhone === undefined ? (given.rowHeight ?? 32) : 72
  const columns = useMemo(
    () => onPhone ?? columnsThatFit(shortColumns(given.columns, rows), selectable, widthPx),
    [given.columns, rows, selectable, widthPx, onPhone],
  )
  const props = { ...given, columns }
  const stickyColumns = given.stickyColumns ?? 0
  const { template, minWidthPx, lefts } = useMemo(
    () => tracksOf(columns, selectable, stickyColumns),
    [columns, selectable, stickyColumns],
  )
  const style = {
    '--columns': template,
    '--row-height': `${rowPx}px`,
    '--table-width': `${minWidthPx}px`,
  } as CSSProperties
  if (error) {
    return (
      <div ref={measured} className={styles.table} style={style}>
        <ErrorState error={error} onRetry={onRetry} />
      </div>
    )
  }
  if (rows === undefined) return <LoadingTable {...props} style={style} measured={measured} />
  if (rows.length === 0) {
    return (
      <div ref={measured} className={styles.table} style={style}>
        <div role="table" aria-label={label}>
          <TableHeader {...props} rows={rows} />
        </div>
        {empty ?? <NothingFound />}
      </div>
    )
  }
  return (
    <LoadedTable
      {...props}
      rows={rows}
      style={style}
      measured={measured}
      rowPx={rowPx}
      lefts={lefts}
      totalCount={totalCount ?? rows.length}
    />
  )
}
