import { Skeleton } from '../ui/Skeleton.tsx'
import styles from './DataTable.module.css'
import type { DataTableProps, RenderedTable } from './table-props.ts'

/** A table whose first rows are loading. */
export function LoadingTable<Row>({
  label,
  columns,
  selected,
  style,
  measured,
}: DataTableProps<Row> & RenderedTable) {
  return (
    <div
      ref={measured}
      className={styles.table}
      style={style}
      aria-busy="true"
      aria-label={`${label}, loading`}
      role="status"
    >
      <div aria-hidden="true">
        <div className={styles.header}>
          {selected === undefined ? null : <span />}
          {columns.map((column) => (
            <span key={column.id} className={styles.headerCell} data-align={column.align}>
              {column.header}
            </span>
          ))}
        </div>
        {Array.from({ length: 12 }, (_, index) => (
          <div key={index} className={styles.loadingRow}>
            {selected === undefined ? null : <span />}
            {columns.map((column, at) => (
              <span key={column.id} className={styles.cell} data-align={column.align}>
                <Skeleton width={column.align === 'end' ? 56 : `${48 + ((index * 7 + at * 13) % 40)}%`} />
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}
