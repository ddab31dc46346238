import { clickhouseType } from './native-block.ts'
import { columnName, datasetTable, type DatasetTables } from './dataset-tables.ts'
import type { PointRange } from './point-sql.ts'
import type { FormulaFunction, FormulaInput, FormulaNode, SeriesFormula } from './series-engine.ts'
import { finiteSql, quoteInteger, quoteNumber, quoteTimestamp } from './sql-text.ts'
import { createRounding } from './value-sql.ts'

/** A formula whose inputs were looked for: a column that a dataset does not have is an input without values. */
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
  /** Newer versions are not looked at, where an answer takes several statements. */
  lastVersion?: number | undefined
}

/** All stored inputs of a formula and of the formulas in it. */
export function storedInputs({ inputs }: OpenFormula): StoredInput[] {
  return inputs.flatMap((input) => {
    if (input === undefined) return []
    return 'tree' in input ? storedInputs(input) : [input]
  })
}

/** Looks for the inputs of a formula. */
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

/**
 * SQL of the points of a formula as rows `ts, age, value`, a row per timestamp, in no order. The age of a point is that of the newest
 * point it is made of at its timestamp.
 * @param range bounds of the timestamp and of the version; the others do not count
 */
export function buildFormulaSql(formula: OpenFormula, range: PointRange): string {
  const { from, ...untilThen } = range
  const inputRange = formula.looksBack || from === undefined ? untilThen : range
  const layers = new Layers()
  const root = compile(formula.tree, layers)
  let rows = joinInputs(formula, inputRange)
  for (const columns of layers.columns()) rows = `SELECT *, ${columns.join(', ')} FROM (${rows})`
  // Adding 0 makes 0 of -0.
  return `SELECT ts, age, CAST(${root.sql} + 0. AS ${nullableDouble}) AS value FROM (${rows})`
}

const nullableDouble = clickhouseType('double')
const empty = `CAST(NULL AS ${nullableDouble})`

/** Rows `ts, age, x0, x1, …`: the values of the inputs at each timestamp. */
function joinInputs({ inputs, join }: OpenFormula, range: PointRange): string {
  const points = inputs.map((input, index) => {
    const rows =
      input === undefined
        ? `SELECT now64(3, 'UTC') AS ts, toInt64(0) AS age, ${empty} AS value WHERE 0`
        : 'tree' in input
          ? buildFormulaSql(input, range)
          : storedPoints(input, range)
    return `SELECT ${index} AS input, ts, age AS inputAge, value FROM (${rows}) WHERE isNotNull(value)`
  })
  const names = inputs.map((_, index) => `x${index}`)
  const values = names.map((name, index) => `anyIf(value, input = ${index}) AS ${name}`)
  const all = `SELECT ts, min(inputAge) AS age, ${values.join(', ')} FROM (${points.join(' UNION ALL ')}) GROUP BY ts`
  if (join === 'inner') return `${all} HAVING ${names.map((name) => `isNotNull(${name})`).join(' AND ')}`
  if (join === 'outer') return all
  const carried = names.map((name) => `anyLast(${name}) ${upToHere} AS ${name}`)
  return `SELECT ts, age, ${carried.join(', ')} FROM (${all})`
}

function storedPoints(
  { dataset, sid, column, lastVersion }: StoredInput,
  { from, to, versionTo = lastVersion }: PointRange,
): string {
  const conditions = [
    `sid = ${quoteInteger(sid)}`,
    ...(from === undefined ? [] : [`ts >= ${quoteTimestamp(from)}`]),
    ...(to === undefined ? [] : [`ts <= ${quoteTimestamp(to)}`]),
    ...(versionTo === undefined
      ? []
      : [`age >= ${quoteInteger(-Math.min(versionTo, lastVersion ?? versionTo))}`]),
  ]
  const source = `SELECT sid, ts, age, ${columnName(column)} FROM ${datasetTable(dataset)} WHERE ${conditions.join(' AND ')}`
  return `SELECT ts, age, toFloat64(${columnName(column)}) AS value FROM (${source} ORDER BY sid, ts, age LIMIT 1 BY sid, ts)`
}

const upToHere = 'OVER (ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)'

/** SQL of a node, and how many layers of columns have to stand below it. */
interface Compiled {
  sql: string
  layer: number
}

/**
 * Columns that other expressions need by name, as they use them more than once or as windows over them. A layer is a subquery that
 * may use the columns of the layers before it.
 */
class Layers {
  readonly #layers: Map<string, string>[] = []

  /** The expression as a column. */
  name({ sql, layer }: Compiled): Compiled {
    if (/^\w+$/.test(sql)) return { sql, layer }
    while (this.#layers.length <= layer) this.#layers.push(new Map())
    const columns = this.#layers[layer]!
    const name = columns.get(sql) ?? `n${layer}_${columns.size}`
    columns.set(sql, name)
    return { sql: name, layer: layer + 1 }
  }

  columns(): string[][] {
    return this.#layers.map((columns) => [...columns].map(([sql, name]) => `${sql} AS ${name}`))
  }
}

function compile(node: FormulaNode, layers: Layers): Compiled {
  switch (node.kind) {
    case 'number':
      return { sql: `toFloat64(${quoteNumber(node.value)})`, layer: 0 }
    case 'input':
      return { sql: `x${quoteInteger(node.input)}`, layer: 0 }
    case 'call':
      return compileCall(node, layers)
  }
}

function compileCall(
  { function: name, arguments: given, count = 0 }: FormulaNode & { kind: 'call' },
  layers: Layers,
): Compiled {
  const compiled = given.map((argument) => compile(argument, layers))
  const amount = quoteInteger(count)
  if (name === 'round' || windows.has(name)) {
    const column = layers.name(compiled[0]!)
    return { sql: ofColumn(name, column.sql, amount), layer: column.layer }
  }
  const layer = Math.max(...compiled.map((argument) => argument.layer))
  return { sql: ofValues[name as PlainFunction](compiled.map(({ sql }) => sql)), layer }
}

const windows: ReadonlySet<FormulaFunction> = new Set(['lag', 'mean', 'sum'])
type PlainFunction = Exclude<FormulaFunction, 'round' | 'lag' | 'mean' | 'sum'>

function hasWindow(node: FormulaNode): boolean {
  return node.kind === 'call' && (windows.has(node.function) || node.arguments.some(hasWindow))
}

function ofColumn(name: FormulaFunction, column: string, amount: string): string {
  if (name === 'round') return createRounding(Number(amount))(column)
  // A constant is not nullable, so an empty window would return 0 instead of NULL.
  if (name === 'lag')
    return `any(toNullable(${column})) OVER (ORDER BY ts ROWS BETWEEN ${amount} PRECEDING AND ${amount} PRECEDING)`
  const window = `OVER (ORDER BY ts ROWS BETWEEN ${Number(amount) - 1} PRECEDING AND CURRENT ROW)`
  const fact = name === 'mean' ? 'avg' : 'sum'
  return finiteSql(`if(count(${column}) ${window} = ${amount}, ${fact}(${column}) ${window}, NULL)`)
}

const ofValues: Record<PlainFunction, (values: string[]) => string> = {
  add: ([a, b]) => finiteSql(`(${a} + ${b})`),
  subtract: ([a, b]) => finiteSql(`(${a} - ${b})`),
  multiply: ([a, b]) => finiteSql(`(${a} * ${b})`),
  divide: ([a, b]) => finiteSql(`(${a} / ${b})`),
  power: ([a, b]) => finiteSql(`pow(${a}, ${b})`),
  equals: ([a, b]) => `toFloat64(${a} = ${b})`,
  notEquals: ([a, b]) => `toFloat64(${a} != ${b})`,
  less: ([a, b]) => `toFloat64(${a} < ${b})`,
  lessOrEqual: ([a, b]) => `toFloat64(${a} <= ${b})`,
  greater: ([a, b]) => `toFloat64(${a} > ${b})`,
  greaterOrEqual: ([a, b]) => `toFloat64(${a} >= ${b})`,
  and: (values) => `toFloat64(${values.map(isMet).join(' AND ')})`,
  or: (values) => `toFloat64(${values.map(isMet).join(' OR ')})`,
  not: ([a]) => `toFloat64(NOT ${isMet(a!)})`,
  if: ([condition, a, b = empty]) => `if(${isMet(condition!)}, ${a}, ${b})`,
  coalesce: (values) => `coalesce(${values.join(', ')})`,
  isEmpty: ([a]) => `toFloat64(isNull(${a}))`,
  abs: ([a]) => `abs(${a})`,
  sign: ([a]) => `toFloat64(sign(${a}))`,
  sqrt: ([a]) => finiteSql(`sqrt(${a})`),
  ln: ([a]) => finiteSql(`log(${a})`),
  log10: ([a]) => finiteSql(`log10(${a})`),
  exp: ([a]) => finiteSql(`exp(${a})`),
  floor: ([a]) => `floor(${a})`,
  ceil: ([a]) => `ceil(${a})`,
  min: (values) => `arrayReduce('min', [${values.join(', ')}])`,
  max: (values) => `arrayReduce('max', [${values.join(', ')}])`,
}

/** Of conditions, an empty one is not met. */
function isMet(value: string): string {
  return `ifNull(${value} != 0, 0)`
}
