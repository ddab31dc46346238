import { positiveInteger } from './dataset-tables.ts'
import { SeriesEngineError } from './series-engine-error.ts'
import {
  maxFormulaDepth,
  maxFormulaInputs,
  maxQueryFormulas,
  tooManyFormulas,
  type SeriesFormula,
} from './series-formula.ts'
import type { Selection } from './series-query.ts'

/** Maximum nodes of all formulas of a query. */
const maxQueryNodes = 200_000

/**
 * Checks the formulas of a query.
 * @throws SeriesEngineError `invalid` for an invalid formula, and for a selection that does not fit its formula
 */
export function checkFormulas(selections: readonly Selection[]): void {
  const formulas = new FormulaCheck()
  for (const { formula, series, columns, limits } of selections) {
    if (!formula) continue
    if (limits) throw refusal('A formula has no limits, because its inputs are other series.')
    if (!Array.isArray(series) || series.length !== 1)
      throw refusal('A formula must be computed for one series, given as a list.')
    if (columns.length > 1 || columns.some(({ type }) => type !== 'double'))
      throw refusal('A formula must have one column of the type double.')
    formulas.check(formula, 1)
  }
}

/** Checks the formulas of a query, each only once even if several formulas use it. */
class FormulaCheck {
  /** Depth of nested formulas, by outermost formula. */
  readonly #depths = new Map<SeriesFormula, number>()
  #nodeCount = 0

  /** @returns nesting depth of formulas; 1 if no formula is nested */
  check(formula: SeriesFormula, level: number): number {
    const depth = this.#depths.get(formula) ?? this.#checkNew(formula, level)
    if (level + depth - 1 > maxFormulaDepth) throw tooDeep()
    return depth
  }

  #checkNew(formula: SeriesFormula, level: number): number {
    // A formula that is its own input would cause infinite recursion.
    if (level > maxFormulaDepth) throw tooDeep()
    checkOwn(formula)
    this.#nodeCount += formula.expression.nodeCount
    const inner = formula.inputs.map((input) =>
      'formula' in input ? this.check(input.formula, level + 1) : 0,
    )
    const depth = 1 + Math.max(...inner)
    this.#depths.set(formula, depth)
    if (this.#depths.size > maxQueryFormulas) throw refusal(tooManyFormulas)
    if (this.#nodeCount > maxQueryNodes)
      throw refusal(
        `The formulas of a query can have at most ${maxQueryNodes} numbers, inputs and functions together. Request fewer formulas at a time.`,
      )
    return depth
  }
}

function checkOwn({ inputs, join, expression }: SeriesFormula): void {
  if (inputs.length === 0 || inputs.length > maxFormulaInputs)
    throw refusal(`A formula has ${inputs.length} inputs; allowed are 1 to ${maxFormulaInputs}.`)
  if (!['inner', 'outer', 'previous'].includes(join))
    throw refusal(`Inputs can be joined inner, outer or previous, not ${join}.`)
  for (const input of inputs) {
    if ('formula' in input) continue
    positiveInteger(input.dataset, 'dataset')
    positiveInteger(input.sid, 'series')
    positiveInteger(input.column.id, 'column')
    if (input.column.type !== 'double' && input.column.type !== 'integer')
      throw refusal('The inputs of a formula must be numbers.')
  }
  if (expression.inputCount > inputs.length)
    throw refusal(
      `The formula uses input ${expression.inputCount - 1}, but has only ${inputs.length} inputs.`,
    )
}

function tooDeep(): SeriesEngineError {
  return refusal(`Formulas can be nested at most ${maxFormulaDepth} deep.`)
}

function refusal(message: string): SeriesEngineError {
  return new SeriesEngineError('invalid', message)
}
