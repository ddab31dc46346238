import { positiveInteger } from './dataset-tables.ts'
import {
  maxFormulaDepth,
  maxFormulaInputs,
  maxQueryFormulas,
  SeriesEngineError,
  tooManyFormulas,
  type Selection,
  type SeriesFormula,
} from './series-engine.ts'

/** Of all formulas of a query. */
const maxQueryNodes = 200_000

/** @throws SeriesEngineError `invalid` for formulas that cannot be computed, and for selections that do not fit them. */
export function checkFormulas(selections: readonly Selection[]): void {
  const formulas = new FormulaCheck()
  for (const { formula, series, columns } of selections) {
    if (!formula) continue
    if (!Array.isArray(series) || series.length !== 1)
      throw refusal('A formula is computed for one series, which is given as a list.')
    if (columns.length > 1 || columns.some(({ type }) => type !== 'double'))
      throw refusal('A formula has one column of the type double.')
    formulas.check(formula, 1)
  }
}

/** Checks the formulas of a query, each once however many others use it. */
class FormulaCheck {
  /** How many formulas follow from each other, by the first of them. */
  readonly #depths = new Map<SeriesFormula, number>()
  #nodeCount = 0

  /** @returns how deep formulas stand in this one; 1 = there are none in it */
  check(formula: SeriesFormula, place: number): number {
    const depth = this.#depths.get(formula) ?? this.#checkNew(formula, place)
    if (place + depth - 1 > maxFormulaDepth) throw tooDeep()
    return depth
  }

  #checkNew(formula: SeriesFormula, place: number): number {
    // A formula that is its own input would have no end.
    if (place > maxFormulaDepth) throw tooDeep()
    checkOwn(formula)
    this.#nodeCount += formula.expression.nodeCount
    const inner = formula.inputs.map((input) =>
      'formula' in input ? this.check(input.formula, place + 1) : 0,
    )
    const depth = 1 + Math.max(...inner)
    this.#depths.set(formula, depth)
    if (this.#depths.size > maxQueryFormulas) throw refusal(tooManyFormulas)
    if (this.#nodeCount > maxQueryNodes)
      throw refusal(
        `The formulas of a query have at most ${maxQueryNodes} numbers, inputs and functions together. Ask for fewer formulas at a time.`,
      )
    return depth
  }
}

function checkOwn({ inputs, join, expression }: SeriesFormula): void {
  if (inputs.length === 0 || inputs.length > maxFormulaInputs)
    throw refusal(`A formula has ${inputs.length} inputs; allowed are 1 to ${maxFormulaInputs}.`)
  if (!['inner', 'outer', 'previous'].includes(join))
    throw refusal(`Inputs are joined inner, outer or previous, not ${join}.`)
  for (const input of inputs) {
    if ('formula' in input) continue
    positiveInteger(input.dataset, 'dataset')
    positiveInteger(input.sid, 'series')
    positiveInteger(input.column.id, 'column')
    if (input.column.type !== 'double' && input.column.type !== 'integer')
      throw refusal('The inputs of a formula are numbers.')
  }
  if (expression.inputCount > inputs.length)
    throw refusal(`The formula uses input ${expression.inputCount - 1}, which it does not have.`)
}

function tooDeep(): SeriesEngineError {
  return refusal(`Formulas stand in formulas at most ${maxFormulaDepth} deep.`)
}

function refusal(message: string): SeriesEngineError {
  return new SeriesEngineError('invalid', message)
}
