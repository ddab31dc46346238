import { rowsSql, type RowQuestion } from './answer-rows.ts'
import { canOverflow as canFillOverflow } from './fill-sql.ts'
import type { DatasetFacts } from './dataset-tables.ts'
import { storedInputs, type OpenFormula } from './formula-sql.ts'
import { ordinaryPower } from './native-block.ts'
import type { OpenSelection } from './open-selections.ts'
import { canOverflow as canSpanOverflow, type ResampledColumn } from './resample-sql.ts'
import type { FormulaNode } from './series-engine.ts'
import type { SqlConnection, SqlParams } from './sql-connection.ts'
import { usedParams } from './sql-params.ts'

/** Whether an answer computes values of a selection that may be beyond what a double holds, were its points large enough. */
export function computesDoubles({ columns, resampled }: RowQuestion, selection: OpenSelection): boolean {
  const { fill, isAsked } = selection
  const canOverflow = (column: ResampledColumn) =>
    canSpanOverflow(column) || (fill !== undefined && canFillOverflow(column.type, fill))
  if (resampled) return resampled.some((column) => isAsked[column.source] && canOverflow(column))
  return (
    fill !== undefined && columns.some(({ type }, index) => isAsked[index] && canFillOverflow(type, fill))
  )
}

/** Datasets whose facts tell whether such values may be in an answer. */
export function datasetsBehind({ dataset, formula }: OpenSelection): number[] {
  return formula ? storedInputs(formula).map((input) => input.dataset) : [dataset]
}

/** Whether such values may be in an answer, as far as the facts of the datasets behind it tell. */
export function mayOverflow(
  question: RowQuestion,
  facts: ReadonlyMap<number, DatasetFacts | undefined>,
): boolean {
  return question.selections.some((selection) => {
    if (!computesDoubles(question, selection)) return false
    const isOrdinary = datasetsBehind(selection).every(
      (dataset) => facts.get(dataset)?.mayHaveExtremes === false,
    )
    return !isOrdinary || (selection.formula !== undefined && largestPower(selection.formula) > safePower)
  })
}

/** Values up to this power of ten may be added up as many as there are, or multiplied by milliseconds. */
const safePower = 280

/** The power of ten that no value of a formula of ordinary inputs is beyond. */
function largestPower({ tree, inputs }: OpenFormula): number {
  return powerOf(tree, (place) => {
    const input = inputs[place]
    return input !== undefined && 'tree' in input ? largestPower(input) : ordinaryPower
  })
}

function powerOf(node: FormulaNode, powerOfInput: (place: number) => number): number {
  if (node.kind === 'number') return powerOfNumber(node.value)
  if (node.kind === 'input') return powerOfInput(node.input)
  const powers = node.arguments.map((argument) => powerOf(argument, powerOfInput))
  const [first = 0, second = 0] = powers
  switch (node.function) {
    case 'multiply':
      return first + second
    case 'divide':
      return first + powerOfInverse(node.arguments[1]!, powerOfInput)
    case 'power':
    case 'exp':
      return Infinity
    default:
      // Of the others a sum of 1,000 values grows most.
      return Math.max(0, ...powers) + 3
  }
}

/** Nothing is known of how small a computed value is. */
function powerOfInverse(node: FormulaNode, powerOfInput: (place: number) => number): number {
  if (node.kind === 'number') return node.value === 0 ? 0 : powerOfNumber(1 / node.value)
  return node.kind === 'input' && powerOfInput(node.input) === ordinaryPower ? ordinaryPower : Infinity
}

function powerOfNumber(value: number): number {
  return value === 0 ? 0 : Math.max(0, Math.ceil(Math.log10(Math.abs(value))))
}

/** How many values of an answer, before its limit, are beyond what a double holds. */
export async function countOverflows(
  connection: SqlConnection,
  question: RowQuestion,
  params: SqlParams,
): Promise<number> {
  const counts = question.columns.flatMap(({ type }, index) =>
    type === 'double' ? [`ifNull(NOT isFinite(v${index}), 0)`] : [],
  )
  const sql = `SELECT toFloat64(sum(${counts.join(' + ')})) AS overflows FROM (${rowsSql({ ...question, keepsOverflows: true })})`
  const [row] = await connection.rows(sql, usedParams(sql, params))
  return Number(row?.overflows)
}
