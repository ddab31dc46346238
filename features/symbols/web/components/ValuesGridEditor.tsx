import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { Button, formatNumber, IconButton } from '@headwater/web-kit'
import type { ValueColumn } from '../../contract/index.ts'
import {
  filledRows,
  gridFaults,
  maxGridColumns,
  withCell,
  withColumn,
  withoutColumn,
  withPasted,
  type ValuesGrid,
} from '../values-grid.ts'
import styles from './NewSymbol.module.css'

/** Grid to enter the first values of a symbol, or to paste cells from a spreadsheet or lines of CSV. */
export function ValuesGridEditor(props: {
  grid: ValuesGrid
  onChange: (grid: ValuesGrid) => void
  /** Existing value columns of the group, with their types. */
  known: readonly ValueColumn[]
  showFaults: boolean
}) {
  const { grid, onChange, known, showFaults } = props
  const faults = showFaults ? gridFaults(grid, known) : []
  const faultAt = (row: number, column: number) =>
    faults.find((fault) => fault.row === row && fault.column === column)?.message
  const cell = (row: number, column: number, text: string, name: string) => {
    const fault = faultAt(row, column)
    return (
      <input
        className={styles.cell}
        value={text}
        aria-label={name}
        aria-invalid={fault !== undefined || undefined}
        title={fault}
        placeholder={row === -1 ? 'Name' : row === 0 && column === 0 ? '2024-01-31' : undefined}
        onChange={(event) => onChange(withCell(grid, row, column, event.target.value))}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text')
          if (!/[\t\n;,]/.test(pasted.trim())) return
          event.preventDefault()
          onChange(withPasted(grid, row, column, pasted))
        }}
      />
    )
  }
  const count = filledRows(grid).length
  return (
    <div className={styles.part}>
      <div className={styles.head}>
        <h2 className={styles.legend}>Values</h2>
        <Button
          size="small"
          icon={<IconPlus size={14} stroke={1.6} />}
          disabled={grid.columns.length >= maxGridColumns}
          onClick={() => onChange(withColumn(grid))}
        >
          Add column
        </Button>
      </div>
      <div className={styles.gridBox}>
        <table className={styles.grid} aria-label="Values">
          <thead>
            <tr>
              <th scope="col">Date (UTC)</th>
              {grid.columns.map((name, index) => (
                <th key={index} scope="col">
                  <div className={styles.columnHead}>
                    {cell(-1, index + 1, name, `Name of column ${index + 1}`)}
                    {grid.columns.length === 1 ? null : (
                      <IconButton
                        label={`Remove column ${index + 1}`}
                        icon={<IconX size={14} stroke={1.6} />}
                        onClick={() => onChange(withoutColumn(grid, index + 1))}
                      />
                    )}
                  </div>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {grid.rows.map((cells, row) => (
              <tr key={row}>
                {cells.map((text, column) => (
                  <td key={column}>
                    {cell(
                      row,
                      column,
                      text,
                      column === 0
                        ? `Date ${row + 1}`
                        : `${grid.columns[column - 1] || `Column ${column}`} ${row + 1}`,
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {faults[0] === undefined ? (
        <p className={styles.note}>
          {count === 0
            ? 'Type dates and values, or paste cells from a spreadsheet or lines of CSV.'
            : `${formatNumber(count)} ${count === 1 ? 'row' : 'rows'}`}
        </p>
      ) : (
        <p className={styles.fault} role="alert">
          {faults[0].row === -1 ? 'Heading' : `Row ${formatNumber(faults[0].row + 1)}`}, column{' '}
          {formatNumber(faults[0].column + 1)}: {faults[0].message}
          {faults.length > 1 ? ` And ${formatNumber(faults.length - 1)} more.` : null}
        </p>
      )}
    </div>
  )
}
