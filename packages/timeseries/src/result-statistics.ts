import { isNumeric, type ResultColumn } from './result-format.ts'
import { jsonColumnNames } from './column-names.ts'
import { positionSql, rowsSql, type RowQuery } from './result-rows.ts'
import type { ValueType } from './series-upload.ts'
import type { SqlConnection, SqlParams } from './sql-connection.ts'
import { usedParams } from './sql-params.ts'
import { sumSql } from './sum-sql.ts'

/** SQL expressions for the first and last timestamp and the number of rows. */
export const timeFacts = `toFloat64(min(toUnixTimestamp64Milli(ts))) AS first, toFloat64(max(toUnixTimestamp64Milli(ts))) AS last, toFloat64(count()) AS count`

/**
 * SQL expressions for the statistics of a numeric column. Versions with the same timestamp are in the order of their age,
 * the oldest first.
 */
const columnFacts: Record<string, (value: string, instant: string, type: ValueType) => string> = {
  count: (value) => `count(${value})`,
  min: (value) => `min(${value})`,
  max: (value) => `max(${value})`,
  mean: (value, _, type) => `toFloat64(${sumSql(value, type)}) / count(${value})`,
  sum: (value, _, type) => sumSql(value, type),
  stddev: (value) => `stddevSampStable(${value})`,
  first: (value, instant) => `argMin(${value}, ${instant})`,
  last: (value, instant) => `argMax(${value}, ${instant})`,
}

/** Returns the `statistics` member of a result as JSON: statistics of each series by its number. */
export async function readStatistics(
  connection: SqlConnection,
  rowQuery: RowQuery,
  params: SqlParams,
): Promise<string> {
  const { query, columns, selections } = rowQuery
  if (!query.statistics || selections.length === 0) return '{}'
  const instant =
    (query.corrections ?? 'false') === 'false'
      ? 'toUnixTimestamp64Milli(ts)'
      : '(toUnixTimestamp64Milli(ts), -age)'
  const facts = columns.flatMap((column, index) =>
    isNumeric(column.type)
      ? Object.entries(columnFacts).map(
          ([name, sql]) => `toFloat64(${sql(`v${index}`, instant, column.type)}) AS ${name}${index}`,
        )
      : [],
  )
  const sql = `SELECT toFloat64(position) AS position, ${[timeFacts, ...facts].join(', ')}
    FROM (SELECT ${positionSql(rowQuery)} AS position, * FROM (${rowsSql(rowQuery)})) GROUP BY position ORDER BY position`
  const names = jsonColumnNames(query, columns)
  const rows = await connection.rows(sql, usedParams(sql, params))
  return `{${rows.map((row) => `"${Number(row.position)}":${describeSeries(row, columns, names)}`).join(',')}}`
}

function describeSeries(
  row: Record<string, unknown>,
  columns: readonly ResultColumn[],
  names: readonly string[],
): string {
  // Without a prototype, because a column may have the name of one of its members.
  const described = Object.create(null) as Record<string, unknown>
  columns.forEach((column, index) => {
    if (!isNumeric(column.type)) return
    const isEmpty = row[`count${index}`] === 0
    const facts = Object.keys(columnFacts).map((name): [string, unknown] => [
      name,
      isEmpty && name !== 'count' ? null : row[`${name}${index}`],
    ])
    described[names[index]!] = Object.fromEntries(facts)
  })
  return JSON.stringify({ first: row.first, last: row.last, count: row.count, columns: described })
}
