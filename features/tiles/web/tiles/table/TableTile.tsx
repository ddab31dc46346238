import { type CSSProperties, type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconFileTypeCsv from '@tabler/icons-react/dist/esm/icons/IconFileTypeCsv.mjs'
import IconFocus2 from '@tabler/icons-react/dist/esm/icons/IconFocus2.mjs'
import IconListDetails from '@tabler/icons-react/dist/esm/icons/IconListDetails.mjs'
import IconRowInsertBottom from '@tabler/icons-react/dist/esm/icons/IconRowInsertBottom.mjs'
import IconTable from '@tabler/icons-react/dist/esm/icons/IconTable.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import {
  type Column,
  ContextMenu,
  DataTable,
  type MenuEntry,
  message,
  nothingToDownload,
  saveBlob,
} from '@headwater/web-kit'
import { fileNameOf } from '../../exports/file-name.ts'
import { PatternBadge } from '../../card/PatternBadge.tsx'
import { useReportRefresh } from '../../card/refresh-times.ts'
import { SeriesBadges, SeriesTileBody, type SeriesTileData, useSeriesTile } from '../../card/SeriesTile.tsx'
import { TileHeader, useTileNear } from '../../card/TileCard.tsx'
import { usePatterns } from '../../data/use-patterns.ts'
import { reportOmission, useExportMenu } from '../../exports/export-menu.tsx'
import { useFileTitle } from '../../exports/page-range-of-tile.ts'
import { seriesState } from '../../card/series-state.ts'
import type { SeriesResult } from '../../../core/series/series-result.ts'
import { useSeries } from '../../data/use-series.ts'
import { wallClockReader } from '../../../core/series/wall-clock.ts'
import { meets } from '../../../core/conditions/condition.ts'
import type { TileViewProps } from '../tile-view.ts'
import {
  type CellLooksOf,
  createCellLooks,
  cssColour,
  footerRow,
  headerRow,
  rowAlign,
  rowStyle,
} from './cell-looks.ts'
import { ChoiceCell } from './ChoiceCell.tsx'
import {
  type ChosenCells,
  groupColumnWidth,
  isChoice,
  lookupRange,
  lookups,
  rowKeys,
  tableOf,
  withChoices,
  withLookups,
} from '../../../core/tiles/table/computed-columns.ts'
import { exportTableOf } from './table-export.ts'
import { RowDetails } from './RowDetails.tsx'
import { RowTooltip, type TooltipLine } from './RowTooltip.tsx'
import {
  cellText,
  footerText,
  headerOf,
  orderedColumns,
  sortRows,
  storedSortings,
  type DisplayColumn,
  type Sorting,
  tableCsv,
} from '../../../core/tiles/table/table-rows.ts'
import { groupColumnId, tableTile, type TableTile } from '../../../core/tiles/table/table-tile.ts'
import styles from './TableTile.module.css'
import { TypedCell } from './TypedCell.tsx'
import { ValueCell } from './ValueCell.tsx'
import { useRowActions } from './use-row-actions.ts'
import { useTypedRows } from './use-typed-rows.ts'

type Row = readonly string[]

/** The rows of series, newest first. */
export default function TableTileView({ tile, dataPrep, card }: TileViewProps) {
  const [clicked, setClicked] = useState<Sorting>()
  const definition = useMemo(() => tableTile.parse(tile), [tile])
  const data = useSeriesTile(tile, dataPrep.symbols)
  const { range, series } = data
  const { source } = series
  const [ownChoices, setOwnChoices] = useState<ChosenCells>(noChoices)
  const cells = card.onChange === undefined ? merged(definition.cells, ownChoices) : definition.cells
  const result = useTable(data, definition, cells)
  const typed = useTypedRows(tile, source, card)
  const all = useMemo(
    () => (result ? orderedColumns(result, definition, range.decimalPrecision) : []),
    [result, definition, range.decimalPrecision],
  )
  const columns = useMemo(() => all.filter(({ settings }) => !settings.hidden), [all])
  const sortings = clicked ? [clicked] : storedSortings(definition)
  const sortKey = JSON.stringify(sortings)
  const rows = useMemo(
    () => (result ? sortRows(result.rows, columns, JSON.parse(sortKey) as Sorting[]) : []),
    [result, columns, sortKey],
  )
  const hasChoices = definition.columns.some(({ columnType }) => isChoice(columnType))
  /** The place of a row in the data, where it is needed to say which row was changed. */
  const positions = useMemo(
    () =>
      result !== undefined && (hasChoices || typed.isEditable)
        ? new Map(result.rows.map((row, position) => [row as Row, position]))
        : undefined,
    [result, hasChoices, typed.isEditable],
  )
  const rowKeyOf = useMemo(() => (result && hasChoices ? rowKeys(result) : undefined), [result, hasChoices])

  function choose(row: Row, columnId: string, value: string): void {
    const position = positions?.get(row) ?? -1
    if (position === -1 || rowKeyOf === undefined) return
    if (typed.isEditable) return typed.change(position, columnId, value)
    const key = rowKeyOf(row, position)
    const next = (chosen: ChosenCells) => ({ ...chosen, [key]: { ...chosen[key], [columnId]: value } })
    if (card.onChange === undefined) setOwnChoices(next)
    else card.onChange({ cells: next(definition.cells) }, `cell ${key} ${columnId}`)
  }

  const conditions = useMemo(
    () => [...definition.conditionalFormatting, ...definition.tooltipConfig],
    [definition],
  )
  const { patterns, problems, load } = usePatterns(conditions)
  const looksOf = useMemo(() => createCellLooks(definition, { rows, patterns }), [definition, rows, patterns])
  const measures = useMemo(
    () => columns.map((column) => measured(column, result?.rows ?? [], definition)),
    [columns, result, definition],
  )
  const displayed = columns.map((column, at) =>
    toColumn(column, {
      table: definition,
      timeZone: range.timeZone,
      measure: measures[at]!,
      rowCount: rows.length,
      looksOf,
      choose,
      change:
        typed.isEditable && positions !== undefined
          ? (row, text) => typed.change(positions.get(row) ?? -1, column.settings.columnId, text)
          : undefined,
    }),
  )
  useReportRefresh(
    tile.id,
    series.refreshedAt,
    useMemo(() => newestOf(result, range.timeZone), [result, range.timeZone]),
  )
  const first = sortings[0]
  const fileTitle = useFileTitle(tile)
  const exportMenu = useExportMenu(
    tile,
    {
      ...seriesState(data),
      table: async () => {
        const looks = createCellLooks(definition, { rows, patterns: await load() })
        return exportTableOf(columns, rows, range.timeZone, looks)
      },
    },
    { csv: false },
  )
  const menu: MenuEntry[] =
    (rows.length === 0 && seriesState(data).state !== 'ready') || tile.downloadable === false
      ? []
      : [
          {
            label: 'Save as CSV',
            icon: <IconFileTypeCsv size={16} stroke={1.6} />,
            onClick: () => {
              if (rows.length === 0) return message(nothingToDownload, 'error')
              saveBlob(
                new Blob([tableCsv(columns, rows, range.timeZone)], { type: 'text/csv;charset=utf-8' }),
                fileNameOf(fileTitle, 'csv'),
              )
              reportOmission(seriesState(data).omission)
            },
          },
          ...(rows.length === 0 ? [] : exportMenu),
        ]

  const [opened, setOpened] = useState<{ row: Row; at: { x: number; y: number } }>()
  const [detailed, setDetailed] = useState<Row>()
  const grid = useRef<HTMLDivElement>(null)
  /** What was opened from a row gives the focus back to it. */
  function focusRow(): void {
    requestAnimationFrame(() => {
      if (document.activeElement === document.body)
        grid.current?.querySelector<HTMLElement>('[data-index][tabindex="0"]')?.focus({ preventScroll: true })
    })
  }
  const custom = useRowActions(definition, all)
  const linesOf = (position: number): TooltipLine[] => {
    const row = rows[position]
    if (row === undefined) return []
    return definition.tooltipConfig.flatMap((entry) => {
      const column = all.find(({ settings }) => settings.columnId === entry.value)
      if (!entry.showInTooltip || column === undefined) return []
      const cell = row[column.result.index]!
      const { condition } = entry
      if (condition !== undefined && !meets(cell, { ...entry, condition }, patterns)) return []
      return [
        {
          label: entry.label || headerOf(column, range.timeZone),
          text: cellText(column, cell, definition.dateFormat).replace('\n', ''),
          color: cssColour(entry.color),
        },
      ]
    })
  }
  const detailsOf = (row: Row) =>
    all.map((column) => ({
      name: headerOf(column, range.timeZone),
      text: cellText(column, row[column.result.index]!, definition.dateFormat).replace('\n', ''),
    }))

  function itemsFor(row: Row): MenuEntry[] {
    const position = positions?.get(row) ?? -1
    return [
      {
        label: 'Copy row',
        icon: <IconCopy {...icon} />,
        onClick: () =>
          void navigator.clipboard
            .writeText(columns.map(({ result: { index } }) => row[index]).join('\t'))
            .then(() => message('The row has been copied.')),
      },
      {
        label: 'Preview details',
        icon: <IconListDetails {...icon} />,
        onClick: () => setDetailed(row),
      },
      ...(custom.length === 0 ? [] : (['divider'] as const)),
      ...custom.map(({ label, isScroll, run }): MenuEntry => ({
        label,
        icon: isScroll ? <IconFocus2 {...icon} /> : <IconListDetails {...icon} />,
        onClick: () => run(row),
      })),
      ...(typed.isEditable
        ? ([
            'divider',
            {
              label: 'Add row',
              icon: <IconRowInsertBottom {...icon} />,
              shortcut: 'insert',
              onClick: () => typed.add(position),
            },
            {
              label: 'Duplicate row',
              icon: <IconCopy {...icon} />,
              shortcut: 'mod+d',
              onClick: () => typed.duplicate(position),
            },
            {
              label: 'Delete row',
              icon: <IconTrash {...icon} />,
              danger: true,
              onClick: () => typed.remove(position),
            },
          ] as const)
        : []),
    ]
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null
    const row = target === null ? undefined : rows[Number(target.dataset.index)]
    if (!typed.isEditable || row === undefined) return
    const position = positions?.get(row) ?? -1
    const isDuplicate = event.key.toLowerCase() === 'd' && (event.ctrlKey || event.metaKey)
    if (event.key !== 'Insert' && !isDuplicate) return
    event.preventDefault()
    event.stopPropagation()
    if (isDuplicate) typed.duplicate(position)
    else typed.add(position)
  }

  const odd = useMemo(() => rowStyle(definition, 'Row 1'), [definition])
  const even = useMemo(() => rowStyle(definition, 'Row 2'), [definition])
  const styleOf = useCallback(
    (_: Row, index: number): CSSProperties | undefined => (index % 2 === 0 ? odd : even),
    [odd, even],
  )
  const hasFooter = columns.some(({ settings }) => settings.footer !== '')
  const table = (
    <DataTable
      label={tile.title}
      columns={displayed}
      rows={rows}
      rowKey={rowNumber}
      sort={first && { column: first.columnId, order: first.order }}
      onSortChange={({ column, order }) => setClicked({ columnId: column, order })}
      stickyRows={definition.stickyRows}
      stickyColumns={definition.stickyColumns}
      rowStyle={odd === undefined && even === undefined ? undefined : styleOf}
      headerStyle={rowStyle(definition, 'Header')}
      footerStyle={rowStyle(definition, 'Footer')}
      footerCell={
        hasFooter
          ? ({ id }) => {
              const column = columns.find(({ settings }) => settings.columnId === id)
              return column && <FooterCell column={column} rows={rows} table={definition} looksOf={looksOf} />
            }
          : undefined
      }
      onRowContextMenu={(row, at) => setOpened({ row, at })}
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
              table
            ) : (
              <RowTooltip linesOf={linesOf}>{table}</RowTooltip>
            )}
            <ContextMenu
              items={opened === undefined ? [] : itemsFor(opened.row)}
              at={opened?.at ?? null}
              onClose={() => {
                setOpened(undefined)
                focusRow()
              }}
            />
            {detailed === undefined ? null : (
              <RowDetails
                title={`Details · ${tile.title}`}
                cells={detailsOf(detailed)}
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

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const
const noChoices: ChosenCells = {}

function rowNumber(_: Row, index: number): string {
  return String(index)
}

function merged(stored: ChosenCells, own: ChosenCells): ChosenCells {
  if (own === noChoices) return stored
  const all: Record<string, Readonly<Record<string, string>>> = { ...stored }
  for (const [key, chosen] of Object.entries(own)) all[key] = { ...stored[key], ...chosen }
  return all
}

/** The data of a table with what was chosen in it and what is looked up for its rows. */
function useTable(
  { series, range, symbols }: SeriesTileData,
  table: TableTile,
  cells: ChosenCells,
): SeriesResult | undefined {
  const { near, visible } = useTileNear()
  const { results } = series
  const { showGroupName } = table
  const data = useMemo(
    () => results && tableOf(results, { showGroupName }, symbols),
    [results, showGroupName, symbols],
  )
  const chosen = useMemo(() => data && withChoices(data, table, cells), [data, table, cells])
  const wanted = useMemo(() => (chosen === undefined ? [] : lookups(chosen, table)), [chosen, table])
  const { timeZone, decimalPrecision } = range
  const newestOnly = useMemo(() => lookupRange({ timeZone, decimalPrecision }), [timeZone, decimalPrecision])
  const lookedUp = useSeries(wanted, newestOnly, { enabled: near, watched: visible })
  return useMemo(
    () => chosen && withLookups(chosen, table, lookedUp.results ?? []),
    [chosen, table, lookedUp.results],
  )
}

function newestOf(
  result: { header: string[]; rows: string[][] } | undefined,
  timeZone: string,
): number | undefined {
  const at = result?.header.findIndex((name) => name.startsWith('Date(')) ?? -1
  const text = at === -1 ? undefined : result?.rows[0]?.[at]
  const time = text === undefined ? Number.NaN : wallClockReader(timeZone)(text)
  return Number.isNaN(time) ? undefined : time
}

/** How wide columns are that say nothing; what is left over is shared. */
const widths = {
  time: 'minmax(80px, 1fr)',
  number: 'minmax(64px, 1fr)',
  text: 'minmax(96px, 2fr)',
}
const withTimeOfDay = 'minmax(138px, 1fr)'
/** Pixels of a number column, and of one with a footer, at least. */
const narrowestPx = 64
const withFooterPx = 112
/** Pixels of a column of keys: as wide as its texts, within these. */
const narrowestKeyPx = 40
const widestKeyPx = 64
/** Pixels of a digit, and of the frame around a cell with a background. */
const characterPx = 8
const pillPx = 14
/** Rows that are looked at to find how wide a column is. */
const measuredRows = 1000
const choiceWidth = 'minmax(120px, 1fr)'
/** Values of a column in the data that a dropdown offers at most, and rows that are looked at for them. */
const offered = 500
const lookedAt = 100_000

function toColumn(
  column: DisplayColumn,
  given: {
    table: TableTile
    timeZone: string
    measure: Measure
    rowCount: number
    looksOf: CellLooksOf
    choose: (row: Row, columnId: string, value: string) => void
    /** Takes another text into a typed cell; undefined when the rows are not typed or not edited. */
    change: ((row: Row, text: string) => void) | undefined
  },
): Column<Row> {
  const { settings, result, isNumber } = column
  const { table, timeZone } = given
  const { columnId } = settings
  const own = settings.textAlign ?? (isNumber ? 'right' : 'left')
  const text = (row: Row) => cellText(column, row[result.index]!, table.dateFormat)
  const header = headerOf(column, timeZone)
  const { choices } = given.measure
  const alignOf = (index: number) =>
    settings.textAlign ?? rowAlign(table, index % 2 === 0 ? 'Row 1' : 'Row 2') ?? own
  const { style } = given.looksOf(withoutLooks(column), header, {
    columnId,
    row: headerRow,
    rows: given.rowCount,
  })
  return {
    id: columnId,
    header: <span style={{ ...style, fontSize: undefined }}>{header}</span>,
    width: given.measure.width,
    ...(own === 'left' ? {} : { align: own === 'right' ? ('end' as const) : ('center' as const) }),
    headerAlign: positions[rowAlign(table, 'Header') ?? own],
    sortable: true,
    ...(choices !== undefined || given.change !== undefined || table.tooltipConfig.length > 0
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
            onChoose={(value) => given.choose(row, columnId, value)}
          />
        )
      if (given.change !== undefined && settings.columnType === 'text')
        return (
          <TypedCell
            label={label}
            value={raw}
            align={alignOf(index)}
            onChange={(value) => given.change?.(row, value)}
          />
        )
      const align = alignOf(index)
      const position = { columnId, row: index, rows: given.rowCount }
      return (
        <ValueCell looks={given.looksOf(column, raw, position)} align={align === own ? undefined : align}>
          {text(row)}
        </ValueCell>
      )
    },
  }
}

/** A column for its header and footer: the looks of a column are those of its values. */
function withoutLooks(column: Parameters<CellLooksOf>[0]): Parameters<CellLooksOf>[0] {
  const { settings } = column
  return {
    ...column,
    settings: { ...settings, textColor: undefined, bgColor: undefined, textStyle: 'normal' },
  }
}

/** What the footer tells, in few letters. */
const footerLabels = { Sum: 'Sum', Average: 'Avg', Minimum: 'Min', Maximum: 'Max', Count: 'Count' } as const

const positions = { left: 'start', center: 'center', right: 'end' } as const

/** What has to be looked for in all rows, so only once for the same rows. */
interface Measure {
  width: string | number
  /** Values that a column of choices has in the data. */
  choices: string[] | undefined
}

function measured(column: DisplayColumn, rows: readonly Row[], { dateFormat }: TableTile): Measure {
  const { settings, result } = column
  const choices = isChoice(settings.columnType) ? valuesIn(rows, result.index) : undefined
  const isChosen = choices !== undefined
  return { choices, width: settings.columnWidth ?? widthOf(column, rows, { isChosen, dateFormat }) }
}

function widthOf(
  column: DisplayColumn,
  rows: readonly Row[],
  { isChosen, dateFormat }: { isChosen: boolean; dateFormat: string },
): string | number {
  const { result, isNumber, settings } = column
  if (settings.columnId === groupColumnId)
    return groupColumnWidth(new Set(rows.map((row) => row[result.index]!)))
  if (isChosen) return choiceWidth
  const hasTime = result.kind === 'time' && rows.some((row) => !row[result.index]!.endsWith('T00:00:00'))
  if (isNumber || (result.kind === 'time' && dateFormat !== '')) {
    const least = settings.footer === '' ? narrowestPx : withFooterPx
    const needed = longestLine(rows, (row) => cellText(column, row[result.index]!, dateFormat))
    return `minmax(${Math.max(least, Math.round(needed * characterPx + pillPx))}px, 1fr)`
  }
  if (result.kind === 'symbol') {
    const needed = longestLine(rows, (row) => row[result.index]!) * characterPx
    return `minmax(${Math.min(widestKeyPx, Math.max(narrowestKeyPx, needed))}px, 1fr)`
  }
  return hasTime ? withTimeOfDay : widths[result.kind]
}

/** Characters of the longest line of a column, in rows spread evenly over all: numbers and dates are never cut off. */
function longestLine(rows: readonly Row[], textOf: (row: Row) => string): number {
  const step = Math.max(1, Math.floor(rows.length / measuredRows))
  let longest = 0
  for (let at = 0; at < rows.length; at += step)
    for (const part of textOf(rows[at]!).split('\n')) longest = Math.max(longest, part.length)
  return longest
}

function valuesIn(rows: readonly Row[], index: number): string[] {
  const values = new Set<string>()
  for (let at = 0; at < Math.min(rows.length, lookedAt) && values.size < offered; at++)
    values.add(rows[at]![index]!)
  return [...values].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}

function FooterCell({
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
