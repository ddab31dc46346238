import { canOverflow, combinedSql, type CombinedColumn } from './column-functions.ts'
import { finiteSql } from './sql-text.ts'

/** Options to combine rows of several series. */
export interface AggregateOptions {
  /** SQL that returns, for a row, the number of its combined series. */
  number: string
  /** Whether row values may exceed the range of a double. */
  canHaveOverflows: boolean
  /**
   * Whether combined values that exceed the range of a double stay infinite, so that they can be counted. Default false:
   * they become empty.
   */
  keepsOverflows?: boolean
  /** Whether the combined rows may come in any order. Default false. */
  isUnordered?: boolean
}

/** Returns whether an overflow in the source values is visible in the combined value. */
export function carriesOverflows({ function: name, sourceType }: CombinedColumn): boolean {
  return sourceType === 'double' && name !== 'count'
}

/**
 * Builds SQL that combines rows by series and timestamp into rows `selection, sid, ts, age, v0…`, where `sid` is the
 * number of the combined series.
 * @param rows SQL of rows `selection, sid, ts, v0…` in any order
 */
export function buildAggregateSql(
  rows: string,
  columns: readonly CombinedColumn[],
  { number, canHaveOverflows, keepsOverflows = false, isUnordered = false }: AggregateOptions,
): string {
  const facts = columns.map((column, index) => {
    const value = `v${column.source}`
    const canCarry = canHaveOverflows && carriesOverflows(column)
    const combined = combinedSql(value, column)
    // The minimum and the median would not reveal an infinite value.
    const whole = canCarry ? `if(max(isFinite(${value}) = 0), inf, ${combined})` : combined
    const isChecked = !keepsOverflows && (canCarry || canOverflow(column))
    return `${isChecked ? finiteSql(whole) : whole} AS fact${index}`
  })
  const needed = columns.map(
    ({ source, function: name }) => `count(v${source}) > ${name === 'stddev' ? 1 : 0}`,
  )
  const hasValue = [...new Set(needed)].join(' OR ') || '0'
  const combined = `SELECT ${[`toUInt32(${number}) AS number`, 'ts', ...facts].join(', ')} FROM (${rows}) GROUP BY number, ts HAVING ${hasValue}`
  const values = columns.map((_, index) => `fact${index} AS v${index}`)
  const heads = ['0 AS selection', 'number AS sid', 'ts', 'toInt64(-1) AS age']
  return `SELECT ${[...heads, ...values].join(', ')} FROM (${combined})${isUnordered ? '' : ' ORDER BY sid, ts'}`
}
