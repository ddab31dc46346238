import type { ReactNode } from 'react'
import styles from './SmallTable.module.css'

/** A column of a {@link SmallTable}. */
export interface SmallColumn {
  /** Heading. */
  header: string
  /** Width in pixels; columns without a width share the remaining space. */
  width?: number
  /** Aligns heading and cells at the end, for numbers. */
  align?: 'end'
  /** Hides the heading, except for screen readers. */
  hideHeader?: boolean
}

/**
 * A table for a few rows, as tall as its rows. Use `DataTable` for lists. The caller renders rows with one cell per
 * column. Cells with `data-quiet` use the secondary colour; cells with `data-align="end"` are aligned at the end. A row
 * with `data-open` is highlighted; a row with `data-details` and a cell that spans all columns contains the details of
 * the row above it.
 */
export function SmallTable({
  label,
  columns,
  minWidth = 560,
  children,
}: {
  /** Accessible name. */
  label: string
  columns: readonly SmallColumn[]
  /** Width in pixels below which the table scrolls sideways. */
  minWidth?: number
  /** The rows, as `<tr>` elements. */
  children: ReactNode
}) {
  return (
    <div className={styles.scroll}>
      <table className={styles.table} style={{ minWidth }} aria-label={label}>
        <colgroup>
          {columns.map(({ header, width }) => (
            <col key={header} style={{ width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map(({ header, align, hideHeader }) => (
              <th key={header} scope="col" data-align={align}>
                {hideHeader ? <span className="visually-hidden">{header}</span> : header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
