import type { DatasetTables } from './dataset-tables.ts'
import type { FormulaInput, SeriesFormula } from './series-formula.ts'

/** A formula with resolved inputs. If a dataset does not have the column, the input has no values. */
export interface OpenFormula extends Omit<SeriesFormula, 'inputs'> {
  /** Inputs in order; undefined for one without values. */
  inputs: readonly (StoredInput | OpenFormula | undefined)[]
  /** Whether a value may depend on points before the range. */
  looksBack: boolean
}

/** A column of one series. */
export interface StoredInput {
  /** Dataset of the series. */
  dataset: number
  /** Number of the series. */
  sid: number
  /** Id of the column. */
  column: number
  /** Whether its values have origins that matter: see `originName`. Default false. */
  hasOrigin?: boolean
  /** Newest version to use. Default: all versions. */
  lastVersion?: number | undefined
}

/** Returns all stored inputs of formulas, including those of nested formulas. */
export function storedInputs(formulas: readonly OpenFormula[]): StoredInput[] {
  const seen = new Set(formulas)
  const stored: StoredInput[] = []
  // The loop also visits formulas that are added to the set during the iteration.
  for (const { inputs } of seen)
    for (const input of inputs) {
      if (input === undefined) continue
      if ('expression' in input) seen.add(input)
      else stored.push(input)
    }
  return stored
}

/**
 * Resolves the inputs of a formula.
 * @param known formulas of the query so far, so that each is opened only once
 * @param isOfVersions whether the result depends on the versions of the values
 */
export async function openFormula(
  tables: DatasetTables,
  formula: SeriesFormula,
  known: Map<SeriesFormula, OpenFormula>,
  isOfVersions: boolean,
): Promise<OpenFormula> {
  const open = known.get(formula) ?? (await openNew(tables, formula, known, isOfVersions))
  known.set(formula, open)
  return open
}

async function openNew(
  tables: DatasetTables,
  formula: SeriesFormula,
  known: Map<SeriesFormula, OpenFormula>,
  isOfVersions: boolean,
): Promise<OpenFormula> {
  const inputs: OpenFormula['inputs'][number][] = []
  for (const input of formula.inputs)
    inputs.push(
      'formula' in input
        ? await openFormula(tables, input.formula, known, isOfVersions)
        : await openInput(tables, input, isOfVersions),
    )
  const looksBack =
    formula.join === 'previous' ||
    formula.expression.looksBack ||
    inputs.some((input) => input !== undefined && 'expression' in input && input.looksBack)
  return { ...formula, inputs, looksBack }
}

async function openInput(
  tables: DatasetTables,
  { dataset, sid, column }: Exclude<FormulaInput, { formula: SeriesFormula }>,
  isOfVersions: boolean,
): Promise<StoredInput | undefined> {
  const stored = await tables.find(dataset, [column])
  if (stored?.get(column.id) !== column.type) return undefined
  const hasOrigin = isOfVersions && (await tables.findOrigins(dataset)).has(column.id)
  return { dataset, sid, column: column.id, hasOrigin }
}
