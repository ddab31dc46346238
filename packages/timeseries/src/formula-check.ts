import { positiveInteger } from './dataset-tables.ts'
import {
  maxFormulaDepth,
  maxFormulaInputs,
  maxQueryFormulas,
  SeriesEngineError,
  tooManyFormulas,
  type FormulaFunction,
  type FormulaNode,
  type Selection,
  type SeriesFormula,
} from './series-engine.ts'

const maxNodes = 1000
/** Of all formulas of a query. */
const maxQueryNodes = 200_000
const maxHeight = 100
/** Windows and roundings within each other; each is a subquery. */
const maxLayers = 8
const maxWindow = 1000
const maxPlaces = 15

/** How many arguments a function takes at least and at most, and the range of its whole number where it has one. */
const signatures: Record<FormulaFunction, { least: number; most: number; count?: [number, number] }> = {
  add: { least: 2, most: 2 },
  subtract: { least: 2, most: 2 },
  multiply: { least: 2, most: 2 },
  divide: { least: 2, most: 2 },
  power: { least: 2, most: 2 },
  equals: { least: 2, most: 2 },
  notEquals: { least: 2, most: 2 },
  less: { least: 2, most: 2 },
  lessOrEqual: { least: 2, most: 2 },
  greater: { least: 2, most: 2 },
  greaterOrEqual: { least: 2, most: 2 },
  and: { least: 1, most: 100 },
  or: { least: 1, most: 100 },
  not: { least: 1, most: 1 },
  if: { least: 2, most: 3 },
  coalesce: { least: 1, most: 100 },
  isEmpty: { least: 1, most: 1 },
  abs: { least: 1, most: 1 },
  sign: { least: 1, most: 1 },
  sqrt: { least: 1, most: 1 },
  ln: { least: 1, most: 1 },
  log10: { least: 1, most: 1 },
  exp: { least: 1, most: 1 },
  floor: { least: 1, most: 1 },
  ceil: { least: 1, most: 1 },
  round: { least: 1, most: 1, count: [0, maxPlaces] },
  min: { least: 1, most: 100 },
  max: { least: 1, most: 100 },
  lag: { least: 1, most: 1, count: [1, maxWindow] },
  mean: { least: 1, most: 1, count: [1, maxWindow] },
  sum: { least: 1, most: 1, count: [1, maxWindow] },
}

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
    this.#nodeCount += checkOwn(formula)
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

/** @returns the number of nodes */
function checkOwn({ inputs, join, tree }: SeriesFormula): number {
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
  const counted = { nodes: 0 }
  if (checkNode(tree, { inputs: inputs.length, height: 1, counted }) > maxLayers)
    throw refusal(`round, lag, mean and sum stand within each other at most ${maxLayers} deep.`)
  return counted.nodes
}

/** Gives how many layers the node needs. */
function checkNode(
  node: FormulaNode,
  at: { inputs: number; height: number; counted: { nodes: number } },
): number {
  if (++at.counted.nodes > maxNodes || at.height > maxHeight)
    throw refusal(
      `A formula has at most ${maxNodes} numbers, inputs and functions, at most ${maxHeight} deep.`,
    )
  if (node.kind === 'number') {
    if (!Number.isFinite(node.value)) throw refusal(`${node.value} is not a number.`)
    return 0
  }
  if (node.kind === 'input') {
    if (Number.isInteger(node.input) && node.input >= 0 && node.input < at.inputs) return 0
    throw refusal(`The formula uses input ${node.input}, which it does not have.`)
  }
  const signature = Object.hasOwn(signatures, node.function) ? signatures[node.function] : undefined
  if (!signature) throw refusal(`A formula knows no function ${String(node.function).slice(0, 40)}.`)
  const { least, most, count } = signature
  if (node.arguments.length < least || node.arguments.length > most)
    throw refusal(`${node.function} takes ${least} to ${most} values, not ${node.arguments.length}.`)
  if (count) {
    const given = node.count ?? Number.NaN
    if (!Number.isInteger(given) || given < count[0] || given > count[1])
      throw refusal(`${node.function} takes a whole number from ${count[0]} to ${count[1]}, not ${given}.`)
  }
  const below = node.arguments.map((argument) => checkNode(argument, { ...at, height: at.height + 1 }))
  return Math.max(...below) + (count ? 1 : 0)
}

function tooDeep(): SeriesEngineError {
  return refusal(`Formulas stand in formulas at most ${maxFormulaDepth} deep.`)
}

function refusal(message: string): SeriesEngineError {
  return new SeriesEngineError('invalid', message)
}
