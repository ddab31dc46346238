import type { DatasetTables } from './dataset-tables.ts'
import type { FormulaFunction, FormulaInput, FormulaNode, SeriesFormula } from './series-engine.ts'

/** A formula whose inputs were looked up: a column that a dataset does not have is an input without values. */
export interface OpenFormula extends Omit<SeriesFormula, 'inputs'> {
  inputs: readonly (StoredInput | OpenFormula | undefined)[]
  /** Whether a value may depend on points before the range. */
  looksBack: boolean
}

/** A column of one series. */
export interface StoredInput {
  dataset: number
  sid: number
  column: number
  /** Newer versions are ignored. Undefined = the newest counts. */
  lastVersion?: number | undefined
}

/** All stored inputs of a formula and of the formulas in it. */
export function storedInputs({ inputs }: OpenFormula): StoredInput[] {
  return inputs.flatMap((input) => {
    if (input === undefined) return []
    return 'tree' in input ? storedInputs(input) : [input]
  })
}

/** Looks up the inputs of a formula. */
export async function openFormula(tables: DatasetTables, formula: SeriesFormula): Promise<OpenFormula> {
  const inputs: OpenFormula['inputs'][number][] = []
  for (const input of formula.inputs) inputs.push(await openInput(tables, input))
  const looksBack =
    formula.join === 'previous' ||
    hasWindow(formula.tree) ||
    inputs.some((input) => input !== undefined && 'tree' in input && input.looksBack)
  return { ...formula, inputs, looksBack }
}

async function openInput(tables: DatasetTables, input: FormulaInput): Promise<OpenFormula['inputs'][number]> {
  if ('formula' in input) return openFormula(tables, input.formula)
  const { dataset, sid, column } = input
  const stored = await tables.find(dataset, [column])
  return stored?.get(column.id) === column.type ? { dataset, sid, column: column.id } : undefined
}

const windows: ReadonlySet<FormulaFunction> = new Set(['lag', 'mean', 'sum'])

function hasWindow(node: FormulaNode): boolean {
  return node.kind === 'call' && (windows.has(node.function) || node.arguments.some(hasWindow))
}
