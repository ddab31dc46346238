import { type CSSProperties, type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react'
import IconTable from '@tabler/icons-react/dist/esm/icons/IconTable.mjs'
import { headingOf } from '@headwater/tile-data/contract'
import {
  meets,
  type Patterns,
  type SeriesResult,
  wallClockReader,
  cellText,
  headerOf,
} from '@headwater/tile-data/core'
import { usePatterns } from '@headwater/tile-data/web'
import { ContextMenu, DataTable } from '@headwater/web-kit'
import { PatternBadge } from '../../card/PatternBadge.tsx'
import { useReportRefresh } from '../../card/refresh-times.ts'
import { SeriesBadges, SeriesTileBody } from '../../card/SeriesTile.tsx'
import { TileHeader } from '../../card/TileCard.tsx'
import type { TileViewProps } from '../tile-view.ts'
import { type CellLooksOf, createCellLooks, cssColour, rowStyle } from './cell-looks.ts'
import { measured } from './column-measures.ts'
import { RowDetails } from './RowDetails.tsx'
import { rowMenu } from './row-menu.tsx'
import { RowTooltip, type TooltipLine } from './RowTooltip.tsx'
import { FooterCell, toColumn } from './table-columns.tsx'
import styles from './TableTile.module.css'
import { useRowActions } from './use-row-actions.ts'
import { useTableMenu } from './use-table-menu.tsx'
import { type TableRows, useTableRows } from './use-table-rows.ts'

type Row = readonly string[]

/** The rows of series, newest first. */
export default function TableTileView(props: TileViewProps) {
  const { tile, card } = props
  const table = useTableRows(props)
  const { definition, data, result, all, rows, typed, positionOf } = table
  const { timeZone } = data.range
  const conditions = useMemo(
    () => [...definition.conditionalFormatting, ...definition.tooltipConfig],
    [definition],
  )
  const { patterns, problems, load } = usePatterns(conditions)
  const looksOf = useMemo(() => createCellLooks(definition, { rows, patterns }), [definition, rows, patterns])
  useReportRefresh(
    tile.id,
    data.series.refreshedAt,
    useMemo(() => newestOf(result, timeZone), [result, timeZone]),
  )
  const menu = useTableMenu(tile, table, load)
  const actions = useRowActions(definition, all)
  const [opened, setOpened] = useState<{ row: Row; at: { x: number; y: number } }>()
  const [detailed, setDetailed] = useState<Row>()
  const grid = useRef<HTMLDivElement>(null)
  /** Returns the focus to the row that a menu or dialog was opened from. */
  function focusRow(): void {
    requestAnimationFrame(() => {
      if (document.activeElement === document.body)
        grid.current?.querySelector<HTMLElement>('[data-index][tabindex="0"]')?.focus({ preventScroll: true })
    })
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null
    const row = target === null ? undefined : rows[Number(target.dataset.index)]
    if (!typed.isEditable || row === undefined) return
    const isDuplicate = event.key.toLowerCase() === 'd' && (event.ctrlKey || event.metaKey)
    if (event.key !== 'Insert' && !isDuplicate) return
    event.preventDefault()
    event.stopPropagation()
    if (isDuplicate) typed.duplicate(positionOf(row))
    else typed.add(positionOf(row))
  }

  const rowsView = (
    <TableRowsView
      title={headingOf(tile)}
      table={table}
      looksOf={looksOf}
      onContextMenu={(row, at) => setOpened({ row, at })}
    />
  )
  return (
    <>
      <TileHeader
        menu={menu}
        badges={
          <>
            <PatternBadge problems={problems} />
            <SeriesBadges data={data} filled={rows.length > 0} />
          </>
        }
      />
      <SeriesTileBody
        data={data}
        editing={card.editing}
        icon={<IconTable size={20} stroke={1.6} />}
        shape="rows"
      >
        {rows.length > 0 ? (
          <div ref={grid} className={styles.grid} onKeyDownCapture={typed.isEditable ? onKeyDown : undefined}>
            {definition.tooltipConfig.length === 0 ? (
              rowsView
            ) : (
              <RowTooltip linesOf={(position) => tooltipLines(rows[position], table, patterns)}>
                {rowsView}
              </RowTooltip>
            )}
            <ContextMenu
              items={
                opened === undefined ? [] : rowMenu(opened.row, table, actions, () => setDetailed(opened.row))
              }
              at={opened?.at ?? null}
              onClose={() => {
                setOpened(undefined)
                focusRow()
              }}
            />
            {detailed === undefined ? null : (
              <RowDetails
                title={`Details · ${headingOf(tile)}`}
                cells={detailsOf(detailed, table)}
                onClose={() => {
                  setDetailed(undefined)
                  focusRow()
                }}
              />
            )}
          </div>
        ) : null}
      </SeriesTileBody>
    </>
  )
}

/** The data table itself. */
function TableRowsView({
  title,
  table,
  looksOf,
  onContextMenu,
}: {
  title: string
  table: TableRows
  looksOf: CellLooksOf
  onContextMenu: (row: Row, at: { x: number; y: number }) => void
}) {
  const { definition, data, result, columns, rows, sortings, setClicked, choose, change } = table
  const measures = useMemo(
    () => columns.map((column) => measured(column, result?.rows ?? [], definition)),
    [columns, result, definition],
  )
  const context = {
    table: definition,
    timeZone: data.range.timeZone,
    rowCount: rows.length,
    looksOf,
    choose,
    change,
  }
  const odd = useMemo(() => rowStyle(definition, 'Row 1'), [definition])
  const even = useMemo(() => rowStyle(definition, 'Row 2'), [definition])
  const styleOf = useCallback(
    (_: Row, index: number): CSSProperties | undefined => (index % 2 === 0 ? odd : even),
    [odd, even],
  )
  function footerCell({ id }: { id: string }) {
    const column = columns.find(({ settings }) => settings.columnId === id)
    return column && <FooterCell column={column} rows={rows} table={definition} looksOf={looksOf} />
  }
  const [sorting] = sortings
  return (
    <DataTable
      label={title}
      columns={columns.map((column, at) => toColumn(column, measures[at]!, context))}
      rows={rows}
      rowKey={rowNumber}
      sort={sorting && { column: sorting.columnId, order: sorting.order }}
      onSortChange={({ column, order }) => setClicked({ columnId: column, order })}
      stickyRows={definition.stickyRows}
      stickyColumns={definition.stickyColumns}
      rowStyle={odd === undefined && even === undefined ? undefined : styleOf}
      headerStyle={rowStyle(definition, 'Header')}
      footerStyle={rowStyle(definition, 'Footer')}
      footerCell={columns.some(({ settings }) => settings.footer !== '') ? footerCell : undefined}
      onRowContextMenu={onContextMenu}
    />
  )
}

function rowNumber(_: Row, index: number): string {
  return String(index)
}

/** Returns the lines of the tooltip of a row; none for a row that does not exist. */
function tooltipLines(
  row: Row | undefined,
  { definition, data, all }: TableRows,
  patterns: Patterns | undefined,
): TooltipLine[] {
  if (row === undefined) return []
  return definition.tooltipConfig.flatMap((entry) => {
    const column = all.find(({ settings }) => settings.columnId === entry.value)
    if (!entry.showInTooltip || column === undefined) return []
    const cell = row[column.result.index]!
    const { condition } = entry
    if (condition !== undefined && !meets(cell, { ...entry, condition }, patterns)) return []
    return [
      {
        label: entry.label || headerOf(column, data.range.timeZone),
        text: cellText(column, cell, definition.dateFormat).replace('\n', ''),
        color: cssColour(entry.color),
      },
    ]
  })
}

function detailsOf(row: Row, { definition, data, all }: TableRows): { name: string; text: string }[] {
  return all.map((column) => ({
    name: headerOf(column, data.range.timeZone),
    text: cellText(column, row[column.result.index]!, definition.dateFormat).replace('\n', ''),
  }))
}

function newestOf(result: SeriesResult | undefined, timeZone: string): number | undefined {
  const at = result?.header.findIndex((name) => name.startsWith('Date(')) ?? -1
  const text = at === -1 ? undefined : result?.rows[0]?.[at]
  const time = text === undefined ? Number.NaN : wallClockReader(timeZone)(text)
  return Number.isNaN(time) ? undefined : time
}
