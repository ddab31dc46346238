import { isNumeric } from './answer-format.ts'
import { hasFill, isOneSeries, labelsOf, rowsSql, type RowQuestion } from './answer-rows.ts'
import type { SqlConnection, SqlParams } from './sql-connection.ts'
import { usedParams } from './sql-params.ts'
import { quoteInteger, quoteTimestamp } from './sql-text.ts'

/** First, last, smallest and largest of a column of numbers. */
const pointsPerSpan = 4
/** Points of a series whose halves are worth a thread each. */
const manyPoints = 500_000
/** No timestamp is as large, in milliseconds. */
const never = 'toInt64(9000000000000000000)'

/** What has to be known of an answer to draw it. */
export interface DrawingPlan {
  /** Points of the answer. */
  raw: number
  /** SQL of the rows to be drawn in their order, with columns `label0…, place, sid, ts, age, v0…`; undefined = all of them. */
  rows: string | undefined
  /** Threads that may make the rows. */
  threads: number
}

/**
 * Chooses the points to draw: of each series and column the first, last, smallest and largest of equal spans of time, which is M4 (Jugel, Jerzak,
 * Hackenbroich and Markl: "M4: A Visualization-Oriented Time Series Data Aggregation", VLDB 2014, https://www.vldb.org/pvldb/vol7/p797-jugel.pdf).
 * With a pixel column or less to a span a line has the same pixels as if all points were drawn; with wider spans no peak is lost either.
 *
 * After a count, one statement reads the points once. Rows of a span come in the order of time and one thread takes them, so of equal extremes
 * the earliest stays.
 */
export async function planDrawing(
  connection: SqlConnection,
  question: RowQuestion,
  params: SqlParams,
): Promise<DrawingPlan> {
  const { limit } = question.query
  if (question.selections.length === 0) return { raw: 0, rows: undefined, threads: 1 }
  const ascending = { ...question, query: { ...question.query, order: 'asc' as const } }
  const all = rowsSql(ascending)
  const sql = `SELECT toFloat64(sum(points)) AS raw, toFloat64(countIf(points > 0)) AS series, toFloat64(max(points)) AS most, toFloat64(min(points)) AS fewest, toFloat64(min(start)) AS first, toFloat64(max(end)) AS last
    FROM (SELECT count() AS points, min(toUnixTimestamp64Milli(ts)) AS start, max(toUnixTimestamp64Milli(ts)) AS end FROM (${rowsSql({ ...ascending, isUnordered: true })})${isOneSeries(question) ? '' : ' GROUP BY place, sid'})`
  const [facts] = await connection.rows(sql, usedParams(sql, params))
  const raw = Number(facts?.raw)
  const { drawPoints, spans } = drawingSize(question, raw, Number(facts?.series))
  // A limit would cut the rows off.
  const whole = limit === undefined ? undefined : orderedRows(question, all)
  if (!(Number(facts?.most) > drawPoints)) return { raw, rows: whole, threads: 1 }

  const first = Number(facts?.first)
  const width = Math.floor((Number(facts?.last) - first) / spans) + 1
  const span = `toUInt32(intDiv(moment - ${quoteInteger(first)}, ${quoteInteger(width)}))`
  const large = `SELECT place, sid FROM (${all}) GROUP BY place, sid HAVING count() > ${quoteInteger(drawPoints)}`
  const isMixed = Number(facts?.fewest) <= drawPoints
  const candidates = isMixed ? `SELECT * FROM (${all}) WHERE (place, sid) GLOBAL IN (${large})` : all
  const isOne = isOnePlain(question)
  const isHalved = isOne && isOneSeries(question) && raw >= manyPoints
  const middle = quoteTimestamp(first + width * Math.floor(spans / 2))
  const parts = isHalved
    ? ['<', '>='].map((side) => `SELECT * FROM (${candidates}) WHERE ts ${side} ${middle}`)
    : [candidates]
  const choose = isOne ? chooseOfOne : chooseOfMany
  const chosen = parts.map((rows) => choose(question, rows, span)).join(' UNION ALL ')
  const drawn = isMixed
    ? `${chosen} UNION ALL SELECT ${isOne ? 'place, sid, ts, age, v0' : '*'} FROM (${all}) WHERE (place, sid) GLOBAL NOT IN (${large})`
    : chosen
  return { raw, threads: parts.length, rows: orderedRows(question, drawn) }
}

/** How many points a series may have to come whole, and from how many spans points are chosen of one that has more. */
function drawingSize(
  { query: { drawPoints = Infinity, limit }, columns }: RowQuestion,
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

/** Rows in the order of the answer, with their labels. */
function orderedRows(question: RowQuestion, rows: string): string {
  const { order, sortBy } = question.query
  const time = `ts${order === 'desc' ? ' DESC' : ''}`
  const by = sortBy === 'time' ? `${time}, place, sid` : `place, sid, ${time}`
  return `SELECT ${labelsOf(question)}, * FROM (SELECT * FROM (${rows}) ORDER BY ${by}, age DESC)`
}

/** Whether a row is a timestamp and one number (which only combined series may lack), so that nothing else has to be found again. */
function isOnePlain({ query, columns, selections, aggregated }: RowQuestion): boolean {
  const isCurrent = (query.corrections ?? 'false') === 'false'
  const isOrdered = aggregated !== undefined || !hasFill(selections)
  const type = columns.length === 1 ? columns[0]!.type : 'string'
  return isCurrent && !query.versionTexts && isOrdered && isNumeric(type)
}

function chooseOfOne(question: RowQuestion, rows: string, span: string): string {
  const type = question.columns[0]!.type === 'double' ? 'Nullable(Float64)' : 'Nullable(Int64)'
  const points = `SELECT place, sid, toUnixTimestamp64Milli(ts) AS moment, assumeNotNull(v0) AS value FROM (${rows})${question.aggregated ? ' WHERE isNotNull(v0)' : ''}`
  const extremes = `SELECT place, sid, arrayDistinct([(any(moment), any(value)), (anyLast(moment), anyLast(value)), (argMin(moment, value), min(value)), (argMax(moment, value), max(value))]) AS points
    FROM (${points}) GROUP BY place, sid, ${span}`
  return `SELECT place, sid, fromUnixTimestamp64Milli(point.1, 'UTC') AS ts, toInt64(-1) AS age, CAST(point.2 AS ${type}) AS v0 FROM (SELECT place, sid, arrayJoin(points) AS point FROM (${extremes}))`
}

function chooseOfMany(question: RowQuestion, rows: string, span: string): string {
  const moments = question.columns.flatMap(({ type }, index) => {
    const isEmpty = `isNull(v${index})`
    const ends = [`minIf(moment, NOT ${isEmpty})`, `maxIf(moment, NOT ${isEmpty})`]
    if (type === 'string') return [`if(count(v${index}) = 0, [], [${ends.join(', ')}])`]
    const number = type === 'date' ? `toUnixTimestamp64Milli(v${index})` : `v${index}`
    return [
      `if(count(v${index}) = 0, [], [${[...ends, `ifNull(argMin(moment, ${number}), ${never})`, `ifNull(argMax(moment, ${number}), ${never})`].join(', ')}])`,
    ]
  })
  const chosen = `SELECT place, sid, arrayJoin(arrayConcat(${moments.join(', ')})) AS chosen
    FROM (SELECT *, toUnixTimestamp64Milli(ts) AS moment FROM (${rows})) GROUP BY place, sid, ${span}`
  return `SELECT * FROM (${rows}) WHERE (place, sid, toUnixTimestamp64Milli(ts)) GLOBAL IN (${chosen})`
}
