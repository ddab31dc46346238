/**
 * Settings every statement needs, whatever it asks for: what ClickHouse compiles compares timestamps without their sign, so that the
 * smallest and largest are wrong before 1970 from the fourth run of a statement on.
 */
export const statementSettings = {
  compile_expressions: 0,
  compile_aggregate_expressions: 0,
  compile_sort_description: 0,
} as const
