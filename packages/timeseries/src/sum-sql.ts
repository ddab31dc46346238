import type { ValueType } from './series-upload.ts'

/**
 * Builds SQL that sums values, some of which can be empty. Integers are added exactly, doubles with compensated rounding.
 * The sum is NULL if there is no value. ClickHouse's `sumKahan` reads wrong values for empty ones if a group does not start
 * with a block (https://github.com/ClickHouse/ClickHouse/pull/116990), so it never receives empty values.
 */
export function sumSql(value: string, type: ValueType | undefined): string {
  return type === 'integer'
    ? `sum(toInt128(${value}))`
    : `if(count(${value}) > 0, sumKahan(ifNull(${value}, 0)), NULL)`
}
