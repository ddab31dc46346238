import type { ValueType } from './series-engine.ts'

/**
 * SQL of the sum of values that may be empty: whole numbers are added exactly, others with what is lost in rounding. NULL without a value.
 *
 * ClickHouse's `sumKahan` takes the wrong values for empty ones where a group does not begin with a block
 * (https://github.com/ClickHouse/ClickHouse/pull/116990), so it is given none.
 */
export function sumSql(value: string, type: ValueType | undefined): string {
  return type === 'integer'
    ? `sum(toInt128(${value}))`
    : `if(count(${value}) > 0, sumKahan(ifNull(${value}, 0)), NULL)`
}
