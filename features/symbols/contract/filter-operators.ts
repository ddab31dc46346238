/** Operators of conditions in data queries, parameter sets and their editors. */
export const filterOperators = [
  'EQUALS',
  'NOT_EQUALS',
  'LESS',
  'LESS_OR_EQUAL',
  'GREATER',
  'GREATER_OR_EQUAL',
  'CONTAINS',
  'STARTS_WITH',
  'ENDS_WITH',
  'IN',
  'IS_EMPTY',
  'IS_NOT_EMPTY',
] as const
/** One of {@link filterOperators}. */
export type FilterOperator = (typeof filterOperators)[number]

/** Returns whether a condition needs a value to compare with; `IS_EMPTY` and `IS_NOT_EMPTY` ignore it. */
export function needsValue(operator: FilterOperator): boolean {
  return operator !== 'IS_EMPTY' && operator !== 'IS_NOT_EMPTY'
}
