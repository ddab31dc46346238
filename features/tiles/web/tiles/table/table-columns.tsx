import { useMemo } from 'react'
import { cellText, footerText, headerOf, type DisplayColumn, type TableTile } from '@headwater/tile-data/core'
import type { Column } from '@headwater/web-kit'
import { type CellLooksOf, footerRow, headerRow, rowAlign } from './cell-looks.ts'
import { ChoiceCell } from './ChoiceCell.tsx'
import type { Measure } from './column-measures.ts'
import styles from './TableTile.module.css'
import { TypedCell } from './TypedCell.tsx'
import { ValueCell } from './ValueCell.tsx'

type Row = readonly string[]

/** Values that all columns of a table share. */
interface TableContext {
  table: TableTile
  timeZone: string
  rowCount: number
  looksOf: CellLooksOf
  choose: (row: Row, columnId: string, value: string) => void
  /** Changes the text of a typed cell; undefined when the rows are not typed or the insight is not being edited. */
  change: ((row: Row, columnId: string, text: string) => void) | undefined
}

/** Returns a column for the data table. */
export function toColumn(
  column: DisplayColumn,
  { width, choices }: Measure,
  context: TableContext,
): Column<Row> {
  const { settings, result, isNumber } = column
  const { table, timeZone, rowCount, looksOf, choose, change } = context
  const { columnId } = settings
  const own = settings.textAlign ?? (isNumber ? 'right' : 'left')
  const text = (row: Row) => cellText(column, row[result.index]!, table.dateFormat)
  const header = headerOf(column, timeZone)
  const alignOf = (index: number) =>
    settings.textAlign ?? rowAlign(table, index % 2 === 0 ? 'Row 1' : 'Row 2') ?? own
  const { style } = looksOf(withoutLooks(column), header, {
    columnId,
    row: headerRow,
    rows: rowCount,
  })
  return {
    id: columnId,
    header: <span style={{ ...style, fontSize: undefined }}>{header}</span>,
    width,
    ...(own === 'left' ? {} : { align: own === 'right' ? ('end' as const) : ('center' as const) }),
    headerAlign: headerAligns[rowAlign(table, 'Header') ?? own],
    sortable: true,
    ...(choices !== undefined || change !== undefined || table.tooltipConfig.length > 0
      ? {}
      : { text: (row: Row) => text(row).replace('\n', '') }),
    cell: (row, index) => {
      const raw = row[result.index]!
      const label = `${header}, row ${index + 1}`
      if (choices !== undefined)
        return (
          <ChoiceCell
            column={settings}
            label={label}
            value={raw}
            inData={choices}
            onChoose={(value) => choose(row, columnId, value)}
          />
        )
      if (change !== undefined && settings.columnType === 'text')
        return (
          <TypedCell
            label={label}
            value={raw}
            align={alignOf(index)}
            onChange={(value) => change(row, columnId, value)}
          />
        )
      const align = alignOf(index)
      const position = { columnId, row: index, rows: rowCount }
      return (
        <ValueCell looks={looksOf(column, raw, position)} align={align === own ? undefined : align}>
          {text(row)}
        </ValueCell>
      )
    },
  }
}

/** Returns a column for its header and footer: the style of a column applies to its values only. */
function withoutLooks(column: Parameters<CellLooksOf>[0]): Parameters<CellLooksOf>[0] {
  const { settings } = column
  return {
    ...column,
    settings: { ...settings, textColor: undefined, bgColor: undefined, textStyle: 'normal' },
  }
}

/** Short labels of the values in the footer. */
const footerLabels = { Sum: 'Sum', Average: 'Avg', Minimum: 'Min', Maximum: 'Max', Count: 'Count' } as const

const headerAligns = { left: 'start', center: 'center', right: 'end' } as const

/** The footer of a column; empty for a column without one. */
export function FooterCell({
  column,
  rows,
  table,
  looksOf,
}: {
  column: DisplayColumn
  rows: readonly Row[]
  table: TableTile
  looksOf: CellLooksOf
}) {
  const { settings, result } = column
  const value = useMemo(
    () => footerText(rows, result.index, settings.footer),
    [rows, result.index, settings.footer],
  )
  if (settings.footer === '') return null
  const text =
    settings.footer === 'Count' ? Number(value).toLocaleString('en-US') : cellText(column, value, '')
  const align = rowAlign(table, 'Footer')
  const position = { columnId: settings.columnId, row: footerRow, rows: rows.length }
  return (
    <ValueCell
      looks={looksOf(withoutLooks(column), value, position)}
      align={align}
      title={`${settings.footer} of ${settings.header || settings.columnId}`}
    >
      <small className={styles.footerLabel}>{footerLabels[settings.footer]}</small> {text}
    </ValueCell>
  )
}
