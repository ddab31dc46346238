import { countOf } from '@headwater/web-kit'
import styles from './Preview.module.css'

/** A column of a {@link PreviewGrid}. */
export interface PreviewColumn {
  /** Name; names can repeat. */
  name: string
  /** Type of its values, for users. */
  type: string
  /** Aligns the cells at the end. */
  isNumber: boolean
}

/** The first rows of a file. */
export function PreviewGrid({
  numbers,
  columns,
  moreColumns,
  rows,
  emptyCell = '',
}: {
  /** Heading of the row numbers. */
  numbers: string
  columns: readonly PreviewColumn[]
  /** Number of columns that are not displayed. */
  moreColumns: number
  rows: readonly { number: number; cells: readonly (string | null)[] }[]
  /** Text of a missing value. */
  emptyCell?: string
}) {
  return (
    <div className={styles.grid} tabIndex={0} role="region" aria-label="First rows">
      <table>
        <thead>
          <tr>
            <th scope="col">{numbers}</th>
            {columns.map(({ name, type, isNumber }, index) => (
              <th key={index} scope="col" data-number={isNumber || undefined}>
                {name}
                <span>{type}</span>
              </th>
            ))}
            {moreColumns > 0 ? <th scope="col">{countOf(moreColumns, 'more column')}</th> : null}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ number, cells }) => (
            <tr key={number}>
              <th scope="row">{number}</th>
              {cells.map((cell, index) => (
                <td
                  key={index}
                  data-number={columns[index]?.isNumber || undefined}
                  data-empty={cell === null || undefined}
                >
                  {cell ?? emptyCell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
