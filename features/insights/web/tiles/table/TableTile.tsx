import { type CSSProperties, useMemo, useState } from 'react'
import IconFileTypeCsv from '@tabler/icons-react/dist/esm/icons/IconFileTypeCsv.mjs'
import IconTable from '@tabler/icons-react/dist/esm/icons/IconTable.mjs'
import { type Column, DataTable, type MenuEntry, saveBlob } from '@headwater/web-kit'
import { useReportRefresh } from '../../components/refresh-times.ts'
import { fileNameOf } from '../../components/file-name.ts'
import { SeriesBadges, SeriesTileBody, useSeriesTile } from '../../components/SeriesTile.tsx'
import { TileHeader } from '../../components/TileCard.tsx'
import { mergeAnswers } from '../../series/merge-answers.ts'
import type { SeriesAnswer } from '../../series/series-answer.ts'
import { wallClockReader } from '../../series/wall-clock.ts'
import { meets } from '../condition.ts'
import type { TileViewProps } from '../tile-view.ts'
import { formatCellNumber } from './format-cell.ts'
import { headerOf, orderedColumns, sortRows, type ShownColumn, type Sorting, tableCsv } from './table-rows.ts'
import { tableTile, type TableRule } from './table-tile.ts'
import styles from './TableTile.module.css'

/** The rows of series, newest first. */
export default function TableTileView({ tile, dataPrep, card }: TileViewProps) {
  const [clicked, setClicked] = useState<Sorting>()
  const definition = useMemo(() => tableTile.parse(tile), [tile])
  const data = useSeriesTile(tile, dataPrep.symbols)
  const { range, series } = data
  const { answers } = series
  const answer = useMemo(() => answers && mergeAnswers(answers.map((loaded) => loaded.answer)), [answers])
  const columns = useMemo(
    () =>
      answer
        ? orderedColumns(answer, definition, range.decimalPrecision).filter(
            ({ settings }) => !settings.hidden,
          )
        : [],
    [answer, definition, range.decimalPrecision],
  )
  const stored = definition.sortingColumns.map(({ columnName, sortOrder }) => ({
    columnId: columnName,
    order: sortOrder === 'Ascending' ? ('asc' as const) : ('desc' as const),
  }))
  const sortings = clicked ? [clicked] : stored
  const sortKey = JSON.stringify(sortings)
  const rows = useMemo(
    () => (answer ? sortRows(answer.rows, columns, JSON.parse(sortKey) as Sorting[]) : []),
    [answer, columns, sortKey],
  )
  const keys = useMemo(() => new Map(rows.map((row, index) => [row, String(index)])), [rows])
  const shown = useMemo(
    () =>
      columns.map((column) =>
        toColumn(column, { rules: definition.conditionalFormatting, timeZone: range.timeZone, answer }),
      ),
    [columns, definition, range.timeZone, answer],
  )
  useReportRefresh(
    tile.id,
    series.refreshedAt,
    useMemo(() => newestOf(answer, range.timeZone), [answer, range.timeZone]),
  )
  const first = sortings[0]
  const menu: MenuEntry[] =
    rows.length === 0
      ? []
      : [
          {
            label: 'Save as CSV',
            icon: <IconFileTypeCsv size={16} stroke={1.6} />,
            onClick: () =>
              saveBlob(
                new Blob([tableCsv(columns, rows, range.timeZone)], { type: 'text/csv;charset=utf-8' }),
                fileNameOf(tile.title, 'csv'),
              ),
          },
        ]
  return (
    <>
      <TileHeader card={card} menu={menu} badges={<SeriesBadges data={data} filled={rows.length > 0} />} />
      <SeriesTileBody
        data={data}
        editing={card.editing}
        icon={<IconTable size={20} stroke={1.6} />}
        shape="rows"
      >
        {rows.length > 0 ? (
          <div className={styles.grid}>
            <DataTable
              label={tile.title}
              columns={shown}
              rows={rows}
              rowKey={(row) => keys.get(row) ?? ''}
              sort={first && { column: first.columnId, order: first.order }}
              onSortChange={({ column, order }) => setClicked({ columnId: column, order })}
            />
          </div>
        ) : null}
      </SeriesTileBody>
    </>
  )
}

function newestOf(
  answer: { header: string[]; rows: string[][] } | undefined,
  timeZone: string,
): number | undefined {
  const at = answer?.header.findIndex((name) => name.startsWith('Date(')) ?? -1
  const text = at === -1 ? undefined : answer?.rows[0]?.[at]
  const time = text === undefined ? Number.NaN : wallClockReader(timeZone)(text)
  return Number.isNaN(time) ? undefined : time
}

/** How wide columns are that say nothing; what is left over is shared. */
const widths = {
  symbol: 'minmax(64px, 1fr)',
  time: 'minmax(84px, 1fr)',
  number: 'minmax(64px, 1fr)',
  text: 'minmax(96px, 2fr)',
}
const withTimeOfDay = 'minmax(138px, 1fr)'

function toColumn(
  column: ShownColumn,
  given: { rules: readonly TableRule[]; timeZone: string; answer: SeriesAnswer | undefined },
): Column<readonly string[]> {
  const { settings, answer, isNumber } = column
  const { rules, timeZone } = given
  const hasTime =
    answer.kind === 'time' &&
    given.answer?.rows.some((row) => !row[answer.index]!.endsWith('T00:00:00')) === true
  const align = settings.textAlign ?? (isNumber ? 'right' : 'left')
  const own = rules.filter(({ applyTo }) => applyTo === 'ALL' || applyTo === settings.columnId)
  const text = (row: readonly string[]) => cellText(column, row[answer.index]!)
  return {
    id: settings.columnId,
    header: headerOf(column, timeZone),
    width: settings.columnWidth ?? (hasTime ? withTimeOfDay : widths[isNumber ? 'number' : answer.kind]),
    align: align === 'right' ? 'end' : undefined,
    sortable: true,
    text: (row) => text(row).replace('\n', ''),
    cell: (row) => {
      const styled = own.filter((rule) =>
        meets(row[answer.index]!, rule.condition, rule.conditionValueA, rule.conditionValueB),
      )
      return (
        <span
          className={styles.value}
          data-align={align}
          style={cellStyle(column, styled, row[answer.index]!)}
        >
          {text(row)}
        </span>
      )
    },
  }
}

function cellText({ settings, answer, isNumber, decimals }: ShownColumn, raw: string): string {
  if (isNumber)
    return formatCellNumber(raw, { unit: settings.unit, unitOnFront: settings.unitOnFront, decimals })
  return answer.kind === 'time' ? raw.replace(/T00:00:00$/, '').replace('T', ' ') : raw
}

const weights = { bold: 600, normal: undefined, lighter: 300 }

function cellStyle(
  { settings }: ShownColumn,
  rules: readonly TableRule[],
  raw: string,
): CSSProperties | undefined {
  const style: CSSProperties = {
    color: cssColour(settings.textColor),
    backgroundColor: cssColour(settings.bgColor),
    fontWeight: weights[settings.textStyle],
    fontSize: settings.fontSize,
  }
  for (const rule of rules) {
    if (rule.textColor) style.color = cssColour(rule.textColor)
    if (rule.textStyle) style.fontWeight = weights[rule.textStyle]
    if (rule.condition === 'for every different value') style.backgroundColor = colourOfValue(raw)
    else if (rule.bgColor) style.backgroundColor = cssColour(rule.bgColor)
  }
  return style
}

/** A quiet background of the series colours, the same for the same value. */
function colourOfValue(value: string): string {
  let hash = 0
  for (const letter of value) hash = (hash * 31 + letter.codePointAt(0)!) >>> 0
  return `color-mix(in srgb, var(--series-${(hash % 8) + 1}) 18%, transparent)`
}

function cssColour(colour: string | undefined): string | undefined {
  return colour?.startsWith('--') ? `var(${colour})` : colour
}
