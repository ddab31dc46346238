import type { ReactNode } from 'react'
import styles from './DataTable.module.css'
import { frozenCell, withBackground } from './cell-styles.ts'
import type { Column, DataTableProps } from './table-props.ts'

/** The frozen row at the bottom. */
export function TableFooter<Row>({
  columns,
  selected,
  footerCell,
  footerStyle,
  lefts,
  rowIndex,
}: Pick<DataTableProps<Row>, 'columns' | 'selected' | 'footerStyle'> & {
  footerCell: (column: Column<Row>) => ReactNode
  lefts: readonly number[]
  rowIndex: number
}) {
  return (
    <div role="rowgroup" className={styles.footerGroup}>
      <div role="row" aria-rowindex={rowIndex} className={styles.footer} style={withBackground(footerStyle)}>
        {selected === undefined ? null : (
          <span role="gridcell" className={styles.check} {...frozenCell(lefts, 0)} />
        )}
        {columns.map((column, at) => (
          <span
            key={column.id}
            role="gridcell"
            className={styles.cell}
            data-align={column.align}
            {...frozenCell(lefts, selected === undefined ? at : at + 1)}
          >
            {footerCell(column)}
          </span>
        ))}
      </div>
    </div>
  )
}
