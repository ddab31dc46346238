import { isNumeric } from './result-format.ts'
import { hasFill, isOneSeries, labelsOf, rowsSql, type RowQuery } from './result-rows.ts'
import type { SqlConnection, SqlParams } from './sql-connection.ts'
import { usedParams } from './sql-params.ts'
import { quoteInteger, quoteTimestamp } from './sql-text.ts'

/** Points per span of a numeric column: first, last, minimum and maximum. */
const pointsPerSpan = 4
/** Minimum number of points of a series for which two threads read one half each. */
const manyPoints = 500_000
/** Larger than any timestamp, in milliseconds. */
const never = 'toInt64(9000000000000000000)'

/** Options to downsample a result. */
export interface DrawingPlan {
  /** Number of points before downsampling. */
  raw: number
  /**
   * SQL that returns the selected rows in order, with columns `label0…, selection, sid, ts, age, v0…`; undefined for all
   * rows.
   */
  rows: string | undefined
  /** Maximum threads that preserve the row order. */
  threads: number
}

/**
 * Selects the points to draw with the M4 algorithm: for each series and column, the first, last, minimum and maximum of
 * equal spans of time (Jugel, Jerzak, Hackenbroich and Markl: "M4: A Visualization-Oriented Time Series Data Aggregation",
 * VLDB 2014, https://www.vldb.org/pvldb/vol7/p797-jugel.pdf). If a span is at most one pixel wide, the line has the same
 * pixels as with all points. With wider spans, all peaks remain. After counting, one statement reads the points once. One
 * thread reads the rows of a span in time order, so that the earliest of equal extremes is selected.
 */
export async function planDrawing(
  connection: SqlConnection,
  rowQuery: RowQuery,
  params: SqlParams,
): Promise<DrawingPlan> {
  const { limit } = rowQuery.query
  if (rowQuery.selections.length === 0) return { raw: 0, rows: undefined, threads: 1 }
  const ascending = { ...rowQuery, query: { ...rowQuery.query, order: 'asc' as const } }
  const all = rowsSql(ascending)
  const sql = `SELECT toFloat64(sum(points)) AS raw, toFloat64(countIf(points > 0)) AS series, toFloat64(max(points)) AS most, toFloat64(min(points)) AS fewest, toFloat64(min(start)) AS first, toFloat64(max(end)) AS last
    FROM (SELECT count() AS points, min(toUnixTimestamp64Milli(ts)) AS start, max(toUnixTimestamp64Milli(ts)) AS end FROM (${rowsSql({ ...ascending, isUnordered: true })})${isOneSeries(rowQuery) ? '' : ' GROUP BY selection, sid'})`
  const [facts] = await connection.rows(sql, usedParams(sql, params))
  const raw = Number(facts?.raw)
  const { drawPoints, spans } = drawingSize(rowQuery, raw, Number(facts?.series))
  // A limit would truncate the rows.
  const whole = limit === undefined ? undefined : orderedRows(rowQuery, all)
  if (!(Number(facts?.most) > drawPoints)) return { raw, rows: whole, threads: 1 }

  const first = Number(facts?.first)
  const width = Math.floor((Number(facts?.last) - first) / spans) + 1
  const span = `toUInt32(intDiv(instant - ${quoteInteger(first)}, ${quoteInteger(width)}))`
  const large = `SELECT selection, sid FROM (${all}) GROUP BY selection, sid HAVING count() > ${quoteInteger(drawPoints)}`
  const isMixed = Number(facts?.fewest) <= drawPoints
  const candidates = isMixed ? `SELECT * FROM (${all}) WHERE (selection, sid) GLOBAL IN (${large})` : all
  const isOne = isOnePlain(rowQuery)
  const isHalved = isOne && isOneSeries(rowQuery) && raw >= manyPoints
  const middle = quoteTimestamp(first + width * Math.floor(spans / 2))
  const parts = isHalved
    ? ['<', '>='].map((side) => `SELECT * FROM (${candidates}) WHERE ts ${side} ${middle}`)
    : [candidates]
  const choose = isOne ? chooseOfOne : chooseOfMany
  const chosen = parts.map((rows) => choose(rowQuery, rows, span)).join(' UNION ALL ')
  const drawn = isMixed
    ? `${chosen} UNION ALL SELECT ${isOne ? 'selection, sid, ts, age, v0' : '*'} FROM (${all}) WHERE (selection, sid) GLOBAL NOT IN (${large})`
    : chosen
  return { raw, threads: parts.length, rows: orderedRows(rowQuery, drawn) }
}

/** Returns the maximum number of points for which a series stays complete, and the number of spans for larger series. */
function drawingSize(
  { query: { drawPoints = Infinity, limit }, columns }: RowQuery,
  raw: number,
  seriesCount: number,
): { drawPoints: number; spans: number } {
  if (limit === undefined) return { drawPoints, spans: Math.floor(drawPoints / pointsPerSpan) }
  if (raw <= limit) return { drawPoints: Infinity, spans: 0 }
  const rowsPerSpan = columns.reduce((sum, { type }) => sum + (type === 'string' ? 2 : pointsPerSpan), 0)
  const share = Math.min(drawPoints, Math.floor(limit / seriesCount))
  const spans = Math.max(1, Math.floor(share / rowsPerSpan))
  return { drawPoints: Math.max(share, rowsPerSpan), spans }
}

/** Orders rows like the result and adds their labels. */
function orderedRows(rowQuery: RowQuery, rows: string): string {
  const { order, sortBy } = rowQuery.query
  const time = `ts${order === 'desc' ? ' DESC' : ''}`
  const by = sortBy === 'time' ? `${time}, selection, sid` : `selection, sid, ${time}`
  return `SELECT ${labelsOf(rowQuery)}, * FROM (SELECT * FROM (${rows}) ORDER BY ${by}, age DESC)`
}

/**
 * Returns whether a row consists of a timestamp and one number (which can be empty only for combined series). If so, the
 * rows need not be read again.
 */
function isOnePlain({ query, columns, selections, aggregated }: RowQuery): boolean {
  const isCurrent = (query.corrections ?? 'false') === 'false'
  const isOrdered = aggregated !== undefined || !hasFill(selections)
  const type = columns.length === 1 ? columns[0]!.type : 'string'
  return isCurrent && !query.versionTexts && isOrdered && isNumeric(type)
}

function chooseOfOne(rowQuery: RowQuery, rows: string, span: string): string {
  const type = rowQuery.columns[0]!.type === 'double' ? 'Nullable(Float64)' : 'Nullable(Int64)'
  const points = `SELECT selection, sid, toUnixTimestamp64Milli(ts) AS instant, assumeNotNull(v0) AS value FROM (${rows})${rowQuery.aggregated ? ' WHERE isNotNull(v0)' : ''}`
  const extremes = `SELECT selection, sid, arrayDistinct([(any(instant), any(value)), (anyLast(instant), anyLast(value)), (argMin(instant, value), min(value)), (argMax(instant, value), max(value))]) AS points
    FROM (${points}) GROUP BY selection, sid, ${span}`
  return `SELECT selection, sid, fromUnixTimestamp64Milli(point.1, 'UTC') AS ts, toInt64(-1) AS age, CAST(point.2 AS ${type}) AS v0 FROM (SELECT selection, sid, arrayJoin(points) AS point FROM (${extremes}))`
}

function chooseOfMany(rowQuery: RowQuery, rows: string, span: string): string {
  const instants = rowQuery.columns.flatMap(({ type }, index) => {
    const isEmpty = `isNull(v${index})`
    const ends = [`minIf(instant, NOT ${isEmpty})`, `maxIf(instant, NOT ${isEmpty})`]
    if (type === 'string') return [`if(count(v${index}) = 0, [], [${ends.join(', ')}])`]
    const number = type === 'date' ? `toUnixTimestamp64Milli(v${index})` : `v${index}`
    return [
      `if(count(v${index}) = 0, [], [${[...ends, `ifNull(argMin(instant, ${number}), ${never})`, `ifNull(argMax(instant, ${number}), ${never})`].join(', ')}])`,
    ]
  })
  const chosen = `SELECT selection, sid, arrayJoin(arrayConcat(${instants.join(', ')})) AS chosen
    FROM (SELECT *, toUnixTimestamp64Milli(ts) AS instant FROM (${rows})) GROUP BY selection, sid, ${span}`
  return `SELECT * FROM (${rows}) WHERE (selection, sid, toUnixTimestamp64Milli(ts)) GLOBAL IN (${chosen})`
}
