import { isNumeric } from './answer-format.ts'
import { askedColumns, unfilledRowsSql, type RowQuestion } from './answer-rows.ts'
import type { SqlConnection, SqlParams } from './sql-connection.ts'
import { usedParams } from './sql-params.ts'

/** Rows looked at first; mostly all columns have a value in them. */
const firstRows = 20_000

/** Whether the columns of an answer have a value anywhere in it. */
export async function findFilledColumns(
  connection: SqlConnection,
  question: RowQuestion,
  params: SqlParams,
): Promise<boolean[]> {
  const { columns, selections } = question
  const isFilled = columns.map(() => false)
  if (selections.length === 0) return isFilled
  for (const limit of [` LIMIT ${firstRows}`, '']) {
    const open = columns.flatMap((_, index) => (isFilled[index] ? [] : [index]))
    if (open.length === 0) break
    const facts = open.map((index) => `max(${hasValueSql(question, index)}) AS has${index}`)
    const sql = `SELECT ${facts.join(', ')} FROM (SELECT * FROM (${unfilledRowsSql(question)})${limit}) SETTINGS query_plan_push_down_limit = 0`
    const [row] = await connection.rows(sql, usedParams(sql, params))
    for (const index of open) isFilled[index] = Boolean(row?.[`has${index}`])
  }
  return isFilled
}

/** SQL of whether a row `place, v0…` has a value in a column, or is of a series that gets one everywhere. */
export function hasValueSql(question: RowQuestion, index: number): string {
  const { type } = question.columns[index]!
  const zeroPlaces = question.selections.flatMap((selection, place) =>
    selection.fill?.kind === 'zero' && askedColumns(question, selection)[index] && isNumeric(type)
      ? [place]
      : [],
  )
  const hasValue = `isNotNull(v${index})`
  return zeroPlaces.length === 0 ? hasValue : `(${hasValue} OR place IN (${zeroPlaces.join(', ')}))`
}
