import type { ChartTable } from '@headwater/charts'
import styles from './ChartTile.module.css'

/** The values that a chart draws, as an HTML table. */
export function ReadableTable({ table, title }: { table: ChartTable; title: string }) {
  return (
    <div className={styles.readable} tabIndex={0} role="region" aria-label={`${title} as a table`}>
      <table>
        <thead>
          <tr>
            {table.columns.map((name, index) => (
              <th key={`${index} ${name}`} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => (
            <tr key={row.x}>
              <th scope="row">{row.xText}</th>
              {row.cells.map((cell, index) => (
                <td key={index}>{cell === null ? '' : table.formats[index]!.text(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {table.totalRows > table.rows.length ? (
        <p>
          The first {table.rows.length.toLocaleString('en-US')} of {table.totalRows.toLocaleString('en-US')}{' '}
          rows in view. Zoom in, or save as CSV, for the others.
        </p>
      ) : null}
    </div>
  )
}
