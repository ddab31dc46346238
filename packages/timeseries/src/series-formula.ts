import type { ColumnSpec } from './series-upload.ts'

/** Maximum inputs of a formula. */
export const maxFormulaInputs = 20
/** Maximum nesting depth of formulas; 1 is a formula of stored series only. */
export const maxFormulaDepth = 5
/**
 * Maximum number of formulas of a query, including nested ones. A formula that several others use is one object, so it
 * is counted and computed once.
 */
export const maxQueryFormulas = 2000
/** Message for a query with more formulas. */
export const tooManyFormulas = `A query can compute at most ${maxQueryFormulas} formulas, including those that they use. Request fewer formulas at a time.`

/**
 * Values computed from other series of any dataset, timestamp by timestamp, as doubles. A point exists where the
 * expression has a value.
 * A computed point has one version, the newest version of its input points. `asOf` uses the inputs as known at that time.
 */
export interface SeriesFormula {
  /** 1 to {@link maxFormulaInputs} inputs, numbered from 0. */
  inputs: readonly FormulaInput[]
  /**
   * Timestamps that are computed, and the value of an input without one:
   * - `inner`: timestamps at which every input has a value;
   * - `outer`: timestamps at which at least one input has a value; the others are empty;
   * - `previous`: the same timestamps, but the others keep their previous value; they are empty before their first value.
   */
  join: 'inner' | 'outer' | 'previous'
  /** The computation. The expressions of all formulas of a query have at most 200,000 numbers, inputs and functions. */
  expression: FormulaExpression
}

/** A numeric column of a stored series, or the result of another formula. */
export type FormulaInput = { dataset: number; sid: number; column: ColumnSpec } | { formula: SeriesFormula }

/**
 * Computation of a formula over its inputs, row by row. The engine joins the inputs and does not know the functions.
 * Several formulas may share an expression.
 */
export interface FormulaExpression {
  /** Number of inputs it may read: one more than the largest input number. */
  readonly inputCount: number
  /** Size of the expression, for the limit of a query: its numbers, inputs and functions, 1 to 1,000. */
  readonly nodeCount: number
  /** Whether a value may depend on earlier rows. */
  readonly looksBack: boolean
  /** Starts a computation at the first row. */
  start(work: FormulaWork): FormulaComputation
}

/** Resources of a computation. The computations of a query share them, and only one of them runs at a time. */
export interface FormulaWork {
  /**
   * Time slice of the computation. When `isOver` is true, `next` lets other work run and starts another slice. It throws if
   * the query has ended.
   */
  slice: { readonly isOver: boolean; next(): Promise<void> }
  /** Memory of intermediate results, used by one call of `next` at a time. */
  memory: FormulaMemory
}

/** A computation with the state of the rows so far. */
export interface FormulaComputation {
  /**
   * Returns the values of the next rows, finite numbers or NaN for no value. May return one of the columns, which it
   * never modifies.
   * @param columns value of each input by row, NaN for no value
   * @param memory allocates the result
   */
  next(columns: readonly Float64Array[], rowCount: number, memory: FormulaMemory): Promise<Float64Array>
}

/** A pool of number arrays. */
export interface FormulaMemory {
  /** Returns an array with arbitrary content, which is in use until `reset`. */
  take(length: number): Float64Array
  /** Releases all arrays. */
  reset(): void
}
