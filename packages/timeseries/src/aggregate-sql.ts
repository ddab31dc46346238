import { canOverflow, combinedSql, type CombinedColumn } from './column-functions.ts'
import { finiteSql } from './sql-text.ts'

/** How rows of several series are combined. */
export interface AggregateOptions {
  /** SQL of the number of the combined series that a row belongs to. */
  number: string
  /** Whether values of the rows may be beyond what a double holds. */
  mayHaveOverflows: boolean
  /** Combined values beyond what a double holds stay as they are, so that they can be counted; else they are empty. */
  keepsOverflows?: boolean
  /** The combined rows may come in any order. */
  isUnordered?: boolean
}

/** Whether what a column combines shows in it when it is beyond what a double holds. */
export function carriesOverflows({ function: name, sourceType }: CombinedColumn): boolean {
  return sourceType === 'double' && name !== 'count'
}

/**
 * SQL of rows combined by series and timestamp, as rows `place, sid, ts, age, v0…` whose `sid` is the number of the combined series.
 * @param rows SQL of rows `place, sid, ts, v0…` in any order
 */
export function buildAggregateSql(
  rows: string,
  columns: readonly CombinedColumn[],
  { number, mayHaveOverflows, keepsOverflows = false, isUnordered = false }: AggregateOptions,
): string {
  const facts = columns.map((column, index) => {
    const value = `v${column.source}`
    const mayCarry = mayHaveOverflows && carriesOverflows(column)
    const combined = combinedSql(value, column)
    // Neither the smallest nor the middle of values would show that one of them is missing.
    const whole = mayCarry ? `if(max(isFinite(${value}) = 0), inf, ${combined})` : combined
    const isChecked = !keepsOverflows && (mayCarry || canOverflow(column))
    return `${isChecked ? finiteSql(whole) : whole} AS fact${index}`
  })
  const needed = columns.map(
    ({ source, function: name }) => `count(v${source}) > ${name === 'stddev' ? 1 : 0}`,
  )
  const hasValue = [...new Set(needed)].join(' OR ') || '0'
  const combined = `SELECT ${[`toUInt32(${number}) AS number`, 'ts', ...facts].join(', ')} FROM (${rows}) GROUP BY number, ts HAVING ${hasValue}`
  const values = columns.map((_, index) => `fact${index} AS v${index}`)
  const heads = ['0 AS place', 'number AS sid', 'ts', 'toInt64(-1) AS age']
  return `SELECT ${[...heads, ...values].join(', ')} FROM (${combined})${isUnordered ? '' : ' ORDER BY sid, ts'}`
}
