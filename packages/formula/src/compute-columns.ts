import type { ExpressionNode } from './expression.ts'
import type { ExpressionFunction, OperatorFunction } from './functions.ts'
import { MovingSums } from './moving-sums.ts'
import { roundHalfUp } from './round-half-up.ts'

type Column = Float64Array
type Call = Extract<ExpressionNode, { kind: 'call' }>

/** Maximum number of values, over all nodes, that are computed without yielding. */
const chunkValues = 16_384
const leastChunkRows = 32

/** A pool of number arrays. */
export interface ColumnMemory {
  /** Returns an array with arbitrary content. It is in use until `reset`. */
  take(length: number): Float64Array
  /** Releases all arrays. */
  reset(): void
}

/** Resources of a computation. Several computations can share them if only one of them runs at a time. */
export interface ComputationWork {
  /**
   * Time slice of the computation. When `isOver` is true, `next` lets other work run and starts another slice. It throws if
   * the work must stop.
   */
  slice: { readonly isOver: boolean; next(): Promise<void> }
  /** Memory of intermediate results, used by one call of `next` at a time. */
  memory: ColumnMemory
}

/**
 * Computes a tree over columns in consecutive chunks of rows. NaN represents an empty value and all other values are
 * finite. Each operation determines which of its results are empty.
 */
export class ColumnComputation {
  readonly #tree: ExpressionNode
  readonly #work: ComputationWork
  readonly #chunkRows: number
  /** State of `lag`, `mean` and `sum` after the rows so far. */
  readonly #windows = new Map<ExpressionNode, Window>()

  /** @param nodeCount number of nodes of the tree */
  constructor(tree: ExpressionNode, nodeCount: number, work: ComputationWork) {
    this.#tree = tree
    this.#work = work
    this.#chunkRows = Math.max(leastChunkRows, Math.floor(chunkValues / nodeCount))
  }

  /**
   * Computes the next rows. May return one of the columns, which are never modified.
   * @param memory allocates the result
   */
  async next(columns: readonly Column[], rowCount: number, memory: ColumnMemory): Promise<Column> {
    if (this.#tree.kind === 'input') return columns[this.#tree.input]!
    const { slice } = this.#work
    const values = memory.take(rowCount)
    for (let from = 0; from < rowCount; from += this.#chunkRows) {
      const to = Math.min(rowCount, from + this.#chunkRows)
      const chunk = columns.map((column) => column.subarray(from, to))
      values.set(this.#computeChunk(chunk, to - from), from)
      if (slice.isOver) await slice.next()
    }
    return values
  }

  #computeChunk(columns: readonly Column[], rowCount: number): Column {
    const { memory } = this.#work
    memory.reset()
    // Processes the rows only once for a node that occurs several times in a tree.
    const windows = new Map<ExpressionNode, Column>()
    const compute = (node: ExpressionNode): Column => {
      if (node.kind === 'number') return memory.take(rowCount).fill(node.value)
      if (node.kind === 'input') return columns[node.input]!
      const { function: name } = node
      if (!isOf(windowFunctions, name)) return computeCall(node, name, compute, memory.take(rowCount))
      const known = windows.get(node)
      if (known) return known
      const values = compute(node.arguments[0]!)
      const computed = memory.take(rowCount)
      this.#windowOf(node, name)(values, computed)
      windows.set(node, computed)
      return computed
    }
    return compute(this.#tree)
  }

  #windowOf(node: Call, name: keyof typeof windowFunctions): Window {
    const known = this.#windows.get(node)
    if (known) return known
    const window = windowFunctions[name](node.count!)
    this.#windows.set(node, window)
    return window
  }
}

/** Computes the next rows of a function that depends on earlier rows. */
type Window = (values: Column, result: Column) => void

/** Functions that depend on earlier rows, started at the first row. */
const windowFunctions = {
  lag,
  mean: (count: number) => moving(count, count),
  sum: (count: number) => moving(count, 1),
}

function lag(count: number): Window {
  const before = new Float64Array(count).fill(Number.NaN)
  let at = 0
  return (values, result) => {
    for (let row = 0; row < values.length; row++) {
      const value = values[row]!
      result[row] = before[at]!
      before[at] = value
      if (++at === count) at = 0
    }
  }
}

function moving(count: number, divisor: number): Window {
  const sums = new MovingSums(count)
  // The empty rows before the first one fix the block boundaries, because the last digit of a sum depends on them.
  const before = new Float64Array(count - 1).fill(Number.NaN)
  sums.next(before, before)
  return (values, result) => {
    sums.next(values, result)
    for (let row = 0; row < result.length; row++) result[row] = finite(result[row]! / divisor)
  }
}

/** @param name name of a function without state */
function computeCall(
  { arguments: given, count = 0 }: Call,
  name: Exclude<ExpressionFunction, keyof typeof windowFunctions>,
  compute: (node: ExpressionNode) => Column,
  result: Column,
): Column {
  const rowCount = result.length
  const first = compute(given[0]!)
  if (isOf(ofAny, name)) {
    // Combines the arguments one by one, because there can be a hundred.
    const { begin, join } = ofAny[name]
    for (let row = 0; row < rowCount; row++) result[row] = begin(first[row]!)
    for (const argument of given.slice(1)) {
      const other = compute(argument)
      for (let row = 0; row < rowCount; row++) result[row] = join(result[row]!, other[row]!)
    }
    return result
  }
  if (name === 'if') {
    const [then, otherwise] = [compute(given[1]!), given[2] && compute(given[2])]
    for (let row = 0; row < rowCount; row++)
      result[row] = isMet(first[row]!) ? then[row]! : (otherwise?.[row] ?? Number.NaN)
    return result
  }
  if (name === 'round') {
    for (let row = 0; row < rowCount; row++) result[row] = roundHalfUp(first[row]!, count)
    return result
  }
  if (isOf(ofOne, name)) {
    const operation = ofOne[name]
    for (let row = 0; row < rowCount; row++) result[row] = operation(first[row]!)
    return result
  }
  computePairs(name, first, compute(given[1]!), result)
  return result
}

/** Uses one loop per function, so that the JavaScript engine can optimise each of them. */
function computePairs(name: OperatorFunction, a: Column, b: Column, result: Column): void {
  const rowCount = result.length
  switch (name) {
    case 'add':
      for (let row = 0; row < rowCount; row++) result[row] = finite(a[row]! + b[row]!)
      return
    case 'subtract':
      for (let row = 0; row < rowCount; row++) result[row] = finite(a[row]! - b[row]!)
      return
    case 'multiply':
      for (let row = 0; row < rowCount; row++) result[row] = finite(a[row]! * b[row]!)
      return
    case 'divide':
      for (let row = 0; row < rowCount; row++) result[row] = finite(a[row]! / b[row]!)
      return
    default: {
      const operation = ofTwo[name]
      for (let row = 0; row < rowCount; row++)
        result[row] = isEmpty(a[row]!) || isEmpty(b[row]!) ? Number.NaN : operation(a[row]!, b[row]!)
    }
  }
}

/** Functions of two non-empty values. */
const ofTwo = {
  power: (a: number, b: number) => finite(a ** b),
  equals: (a: number, b: number) => (a === b ? 1 : 0),
  notEquals: (a: number, b: number) => (a === b ? 0 : 1),
  less: (a: number, b: number) => (a < b ? 1 : 0),
  lessOrEqual: (a: number, b: number) => (a <= b ? 1 : 0),
  greater: (a: number, b: number) => (a > b ? 1 : 0),
  greaterOrEqual: (a: number, b: number) => (a >= b ? 1 : 0),
}

/** Functions of one value, which may be empty. */
const ofOne = {
  not: (a: number) => (isMet(a) ? 0 : 1),
  isempty: (a: number) => (isEmpty(a) ? 1 : 0),
  abs: (a: number) => Math.abs(a),
  sign: (a: number) => Math.sign(a),
  sqrt: (a: number) => Math.sqrt(a),
  ln: (a: number) => finite(Math.log(a)),
  log10: (a: number) => finite(Math.log10(a)),
  exp: (a: number) => finite(Math.exp(a)),
  floor: (a: number) => Math.floor(a),
  ceil: (a: number) => Math.ceil(a),
}

/** Functions of any number of values, each of which may be empty. */
const ofAny = {
  and: { begin: met, join: (all: number, value: number) => (all === 1 && isMet(value) ? 1 : 0) },
  or: { begin: met, join: (any: number, value: number) => (any === 1 || isMet(value) ? 1 : 0) },
  coalesce: { begin: same, join: (first: number, value: number) => (isEmpty(first) ? value : first) },
  min: {
    begin: same,
    join: (least: number, value: number) => (value < least || isEmpty(least) ? value : least),
  },
  max: { begin: same, join: (most: number, value: number) => (value > most || isEmpty(most) ? value : most) },
}

function isOf<Table extends object>(table: Table, name: string): name is Extract<keyof Table, string> {
  return Object.hasOwn(table, name)
}

function same(value: number): number {
  return value
}

function met(value: number): number {
  return isMet(value) ? 1 : 0
}

/** Returns whether a condition is met; an empty one is not. */
function isMet(value: number): boolean {
  return value !== 0 && !isEmpty(value)
}

/** Returns whether a value is NaN, which is the only number that differs from itself. */
function isEmpty(value: number): boolean {
  return value !== value
}

/** Returns NaN, the empty value, for a result that is not finite. */
function finite(value: number): number {
  return value - value === 0 ? value : Number.NaN
}
