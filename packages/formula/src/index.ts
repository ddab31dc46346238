export { compileExpression, type CompiledExpression } from './compile-expression.ts'
export type { ColumnComputation, ColumnMemory, ComputationWork } from './compute-columns.ts'
export { inputNamePattern, isInputName, maxExpressionLength, type ExpressionNode } from './expression.ts'
export { functionRules, type ExpressionFunction, type FunctionRule } from './functions.ts'
export { movingSums } from './moving-sums.ts'
export { parseExpression, type ParsedExpression } from './parse-expression.ts'
export type { ExpressionFault } from './tokens.ts'
export {
  parseValueExpression,
  type ParsedValueExpression,
  type ValueNode,
} from './values/parse-value-expression.ts'
export { evaluateValueExpression, type ValueContext } from './values/evaluate-value-expression.ts'
export { ValueError } from './values/value.ts'
export type { ValueFunction } from './values/value-function.ts'
export { valueFunctions } from './values/value-functions.ts'
