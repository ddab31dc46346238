/**
 * Settings of every statement. Compiled expressions of ClickHouse compare timestamps without their sign, so that
 * minimum and maximum are wrong before 1970 from the fourth run of a statement on.
 */
export const statementSettings = {
  compile_expressions: 0,
  compile_aggregate_expressions: 0,
  compile_sort_description: 0,
  // A statement about hundreds of selections is long.
  max_query_size: 16_777_216,
  max_ast_elements: 1_000_000,
  max_expanded_ast_elements: 5_000_000,
  query_plan_max_optimizations_to_apply: 1_000_000,
} as const
