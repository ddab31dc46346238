import { isNumeric, type AnswerColumn } from './answer-format.ts'
import { jsonColumnNames } from './column-names.ts'
import { positionSql, rowsSql, type RowQuestion } from './answer-rows.ts'
import type { ValueType } from './series-engine.ts'
import type { SqlConnection, SqlParams } from './sql-connection.ts'
import { usedParams } from './sql-params.ts'
import { sumSql } from './sum-sql.ts'

/** SQL of the facts on the timestamps of rows. */
export const momentFacts = `toFloat64(min(toUnixTimestamp64Milli(ts))) AS first, toFloat64(max(toUnixTimestamp64Milli(ts))) AS last, toFloat64(count()) AS count`

/** What is said of a column of numbers, as SQL. Versions of a timestamp count from the oldest on. */
const columnFacts: Record<string, (value: string, moment: string, type: ValueType) => string> = {
  count: (value) => `count(${value})`,
  min: (value) => `min(${value})`,
  max: (value) => `max(${value})`,
  mean: (value, _, type) => `toFloat64(${sumSql(value, type)}) / count(${value})`,
  sum: (value, _, type) => sumSql(value, type),
  stddev: (value) => `stddevSampStable(${value})`,
  first: (value, moment) => `argMin(${value}, ${moment})`,
  last: (value, moment) => `argMax(${value}, ${moment})`,
}

/** The member `statistics` of an answer as JSON text: facts of each series by its number. */
export async function readStatistics(
  connection: SqlConnection,
  question: RowQuestion,
  params: SqlParams,
): Promise<string> {
  const { query, columns, selections } = question
  if (!query.statistics || selections.length === 0) return '{}'
  const moment =
    (query.corrections ?? 'false') === 'false'
      ? 'toUnixTimestamp64Milli(ts)'
      : '(toUnixTimestamp64Milli(ts), -age)'
  const facts = columns.flatMap((column, index) =>
    isNumeric(column.type)
      ? Object.entries(columnFacts).map(
          ([name, sql]) => `toFloat64(${sql(`v${index}`, moment, column.type)}) AS ${name}${index}`,
        )
      : [],
  )
  const sql = `SELECT toFloat64(position) AS position, ${[momentFacts, ...facts].join(', ')}
    FROM (SELECT ${positionSql(question)} AS position, * FROM (${rowsSql(question)})) GROUP BY position ORDER BY position`
  const names = jsonColumnNames(query, columns)
  const rows = await connection.rows(sql, usedParams(sql, params))
  return `{${rows.map((row) => `"${Number(row.position)}":${describeSeries(row, columns, names)}`).join(',')}}`
}

function describeSeries(
  row: Record<string, unknown>,
  columns: readonly AnswerColumn[],
  names: readonly string[],
): string {
  // Without a prototype, which a column may be called like.
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
