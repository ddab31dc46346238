import { formatNumber } from '@headwater/contract'
import type { Tile } from '@headwater/tile-data/contract'
import {
  cutValuesText,
  matchingStatSeries,
  changeText,
  comparisonText,
  levelText,
  valueText,
  patternsIn,
  loadPatterns,
  statValues,
  type StatValue,
  statsTile,
  type StatsTile,
} from '@headwater/tile-data/core'
import { timeText } from './time-text.ts'
import type { ReportTile } from './report-tile.ts'
import { tableOfReport } from './visible-rows.ts'
import type { TileRows } from './tile-data.ts'

/** Returns the table of a stats tile, a row for each value; undefined without data. */
export async function statsTileRows(
  tile: Tile,
  data: TileRows,
): Promise<Pick<ReportTile, 'note' | 'table'> | undefined> {
  const { results, range, isFromElsewhere, isTable, cutBy } = data
  const definition = statsTile.parse(tile)
  const { series, cut } = matchingStatSeries(definition.series, results, { fromElsewhere: isFromElsewhere })
  const written = patternsIn(definition.conditionalFormatting)
  const patterns = written.length === 0 ? undefined : await loadPatterns()
  const isPatternUnusable = written.some((pattern) => patterns?.problemOf(pattern) !== undefined)
  const values = statValues({ ...definition, series }, results, range, patterns)
  if (values.every(({ points }) => points.length === 0)) return undefined
  const columns = columnsOf(definition, range.timeZone)
  const filled = columns.filter(({ of }, index) => index < 2 || values.some((value) => of(value) !== ''))
  const table = tableOfReport(
    {
      header: filled.map(({ name }) => name),
      isNumber: filled.map(({ isNumber }) => isNumber === true),
      rows: values.map((value) => filled.map(({ of }) => of(value))),
      total: values.length,
      isNewestFirst: false,
    },
    { ...data, cutBy: undefined },
  )
  const patternNote = isPatternUnusable ? 'A threshold is not applied: its pattern is not supported.' : ''
  const noteWith = (...notes: string[]) => [table.note, ...notes].filter((text) => text !== '').join(' ')
  const cutNote = cut === undefined ? '' : `${cutValuesText(cut)}.`
  if (cutBy === undefined) return { ...table, note: noteWith(cutNote, patternNote) }
  const rowCount = results.reduce((sum, { result }) => sum + result.rows.length, 0)
  const counted = `Calculated from only the ${isTable ? 'first' : 'newest'} ${formatNumber(rowCount)} rows.`
  return { ...table, note: noteWith(cutNote, counted, patternNote) }
}

interface Column {
  name: string
  isNumber?: boolean
  of: (value: StatValue) => string
}

function columnsOf(definition: StatsTile, timeZone: string): Column[] {
  const at = (time: number | undefined) => (time === undefined ? '' : timeText(time, timeZone))
  return [
    { name: 'Series', of: ({ label }) => label },
    {
      name: 'Value',
      isNumber: true,
      of: ({ value, unit, decimals }) =>
        value === undefined ? 'no value' : valueText(value, unit, decimals),
    },
    {
      name: ['Change', comparisonText(definition)].filter((text) => text !== '').join(' '),
      isNumber: true,
      of: ({ change, unit, decimals }) => (change === undefined ? '' : changeText(change, unit, decimals)),
    },
    { name: `Time of value (${timeZone})`, of: (value) => at(value.at) },
    { name: `Newest value (${timeZone})`, of: ({ newest }) => (definition.freshness ? at(newest) : '') },
    {
      name: 'Level',
      of: ({ threshold }) => (threshold === undefined ? '' : levelText(threshold)),
    },
  ]
}
