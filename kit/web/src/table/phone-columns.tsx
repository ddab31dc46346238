import styles from './DataTable.module.css'
import type { Column } from './table-props.ts'

/**
 * Returns the columns of a main list on a phone: icons, the name with the values of the other columns below it, and the
 * actions. The least important values are clipped first. Returns undefined if the list has no name or no other values.
 */
export function phoneColumns<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] | undefined {
  const marked = columns.findIndex(({ isName }) => isName === true)
  const at = marked >= 0 ? marked : columns.findIndex(({ width }) => typeof width === 'string')
  const name = columns[at]
  // A heading that is not a string is hidden: it belongs to a column of icons or buttons.
  const isButtons = ({ header }: Column<Row>) => typeof header !== 'string'
  const details = columns.filter((column) => column !== name && !isButtons(column))
  if (name === undefined || details.length === 0) return undefined
  const sorted = details.toSorted((a, b) => (a.priority ?? 0) - (b.priority ?? 0))
  const cell: Column<Row>['cell'] = (row, index) => (
    <>
      <span className={styles.phoneName}>{name.cell(row, index)}</span>
      <span className={styles.phoneDetails}>
        {sorted.map((column) =>
          column.text?.(row) === '' ? null : (
            <span key={column.id} className={styles.phoneDetail}>
              <span className={styles.phoneLabel}>{column.header}</span> {column.cell(row, index)}
            </span>
          ),
        )}
      </span>
    </>
  )
  return [
    ...columns.slice(0, at).filter(isButtons),
    { ...name, width: 'minmax(120px, 1fr)', cell },
    ...columns.slice(at + 1).filter(isButtons),
  ]
}
