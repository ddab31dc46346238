import { compileExpression, type ExpressionNode } from '@headwater/formula/testing'
import { tableFromIPC } from 'apache-arrow'
import type { SeriesEngine } from '../src/series-engine.ts'
import type { SeriesFormula } from '../src/series-formula.ts'
import type { SeriesQuery } from '../src/series-query.ts'
import { jsonOf, ncsvOf, sheetOf } from './plain-result.ts'
import type { PlainEngine } from './plain-engine.ts'
import { treeOf } from './plain-formula.ts'
import { uniqueNames, type PlainQuery, type PlainTable } from './plain-table.ts'
import { parseCsv, parseJson } from './plain-parsers.ts'
import { createQuery } from './random-query.ts'
import { createWorld, Random, replay, type Step } from './random-world.ts'

/** Number of concurrent queries. */
const concurrency = 4
/**
 * Number of times that queries run while the data of a world is uploaded, some of them repeatedly: caches must not become stale.
 */
const phases = 3

/** Result of a random run. */
export interface RandomRun {
  /** Number of queries. */
  queryCount: number
  /** Number of rows in their results. */
  rows: number
}

/**
 * Runs this many random queries on an engine, with a new world after about `perWorld` of them, and compares each result with that of the plain engine.
 * Throws with the seed and the smallest query and data that still fail. Datasets are numbered from `firstDataset` on.
 */
export async function runRandomQueries(
  engine: SeriesEngine,
  options: { seed: number; queryCount: number; perWorld?: number; firstDataset?: number },
): Promise<RandomRun> {
  const { seed, queryCount, perWorld = 100 } = options
  const run: RandomRun = { queryCount: 0, rows: 0 }
  let nextDataset = options.firstDataset ?? 1000
  for (let world = 0; run.queryCount < queryCount; world++) {
    const random = new Random(seed + world * 7919)
    const { steps, ...parts } = createWorld(random)
    const firstDataset = nextDataset
    nextDataset += 10
    let plain: PlainEngine | undefined
    const requested: PlainQuery[] = []
    for (let phase = 1; phase <= phases && run.queryCount < queryCount; phase++) {
      const from = Math.floor((steps.length * (phase - 1)) / phases)
      const known = steps.slice(0, Math.floor((steps.length * phase) / phases))
      plain = await replay(engine, known.slice(from), firstDataset, plain)
      const count = Math.min(Math.ceil(perWorld / phases), queryCount - run.queryCount)
      const queries = Array.from({ length: count }, () =>
        requested.length > 0 && random.chance(0.2)
          ? random.pick(requested)
          : createQuery(random, { steps, ...parts }),
      )
      requested.push(...queries)
      let failed: { query: PlainQuery; number: number; failure: string } | undefined
      const runFrom = async (number: number): Promise<void> => {
        const query = queries[number]
        if (!query || failed) return
        const failure = await compare(engine, plain!, query, firstDataset)
        if (failure) {
          failed ??= { query, number, failure }
          return
        }
        run.rows += plain!.table(moved(query, firstDataset)).rows.length
        run.queryCount++
        await runFrom(number + concurrency)
      }
      await Promise.all(Array.from({ length: concurrency }, (_, number) => runFrom(number)))
      if (failed) throw await explain(engine, known, { seed, world, nextDataset, ...failed })
    }
  }
  return run
}

/** Runs a query on both engines; returns a description of the difference. */
export async function compare(
  engine: SeriesEngine,
  plain: PlainEngine,
  given: PlainQuery,
  firstDataset: number,
): Promise<string | undefined> {
  const query = moved(given, firstDataset)
  let bytes: Buffer
  try {
    bytes = await readBytes(engine, query)
  } catch (error) {
    return `error ${(error as { code?: string }).code}: ${(error as Error).message}`
  }
  return differenceOf(bytes, plain.table(query), query)
}

/** Describes how a response differs from the table; undefined if it does not. */
export function differenceOf(bytes: Buffer, table: PlainTable, query: PlainQuery): string | undefined {
  try {
    if (query.format === 'ARROW') return compareArrow(bytes, table, query)
    const text = bytes.toString()
    if ((query.format ?? 'NCSV') === 'NCSV') return compareNcsv(text, table, query)
    if (query.drawPoints !== undefined) return compareDrawn(parseJson(text), table, query)
    if (query.layout === 'columns') return compareColumnsJson(parseJson(text), table, query)
    return compareJson(parseJson(text), jsonOf(table, query), table, query)
  } catch (error) {
    return `the result cannot be parsed: ${(error as Error).message}\n${bytes.toString().slice(0, 2000)}`
  }
}

async function readBytes(engine: SeriesEngine, query: SeriesQuery): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of (await engine.query(query)).stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Returns the query with the dataset numbers of an engine. */
function moved(query: PlainQuery, firstDataset: number): PlainQuery {
  return {
    ...query,
    selections: query.selections.map((selection) => ({
      ...selection,
      dataset: firstDataset + selection.dataset,
      ...(selection.formula ? { formula: movedFormula(selection.formula, firstDataset) } : {}),
    })),
  }
}

function movedFormula(formula: SeriesFormula, firstDataset: number): SeriesFormula {
  const inputs = formula.inputs.map((input) =>
    'formula' in input
      ? { formula: movedFormula(input.formula, firstDataset) }
      : { ...input, dataset: firstDataset + input.dataset },
  )
  return { ...formula, inputs }
}

/**
 * Returns the tolerance for numbers: none, except for computed values, whose last bits depend on the order of the
 * steps.
 */
function toleranceOf(query: PlainQuery): Tolerance {
  const isCalculated =
    query.resample !== undefined ||
    query.aggregate !== undefined ||
    query.selections.some(({ fill }) => fill?.kind === 'linear' || fill?.kind === 'average')
  if (!isCalculated) return { relative: 0, absolute: 0 }
  return {
    relative: 1e-9,
    absolute: query.decimalPrecision === undefined ? 1e-12 : 1.0001 * 10 ** -query.decimalPrecision,
  }
}

interface Tolerance {
  relative: number
  absolute: number
}

function isNear(a: number, b: number, { relative, absolute }: Tolerance): boolean {
  return (
    Object.is(a, b) || Math.abs(a - b) <= Math.max(absolute, relative * Math.max(Math.abs(a), Math.abs(b)))
  )
}

/** Finds the first difference between two JSON values. */
function difference(actual: unknown, expected: unknown, tolerance: Tolerance, path = ''): string | undefined {
  if (typeof actual === 'number' && typeof expected === 'number' && isNear(actual, expected, tolerance))
    return undefined
  if (typeof expected === 'object' && expected !== null && typeof actual === 'object' && actual !== null) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(actual)])
    if (Array.isArray(expected) !== Array.isArray(actual)) return `${path}: one is a list, the other is not`
    for (const key of keys) {
      const failed = difference(
        (actual as Record<string, unknown>)[key],
        (expected as Record<string, unknown>)[key],
        tolerance,
        `${path}.${key}`,
      )
      if (failed) return failed
    }
    return undefined
  }
  if (Object.is(actual, expected)) return undefined
  return `${path}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`
}

function compareNcsv(text: string, table: PlainTable, query: PlainQuery): string | undefined {
  const expected = ncsvOf(table, query)
  if (text === expected) return undefined
  const tolerance = toleranceOf(query)
  const [actualRows, expectedRows] = [parseCsv(text), parseCsv(expected)]
  const isSame =
    !/^#/m.test(text) &&
    actualRows.length === expectedRows.length &&
    expectedRows.every((row, at) => {
      const other = actualRows[at]!
      return (
        row.length === other.length &&
        row.every((cell, index) => {
          const both = cell !== '' && other[index] !== '' && tolerance.relative > 0
          return cell === other[index] || (both && isNear(Number(cell), Number(other[index]), tolerance))
        })
      )
    })
  return isSame ? undefined : `\n${text}\ninstead of\n${expected}`
}

function compareJson(
  actual: unknown,
  expected: unknown,
  table: PlainTable,
  query: PlainQuery,
): string | undefined {
  const { statistics: actualStatistics, ...others } = actual as Record<string, unknown>
  const { statistics, ...rest } = JSON.parse(JSON.stringify(expected)) as Record<string, unknown>
  // Sums of numbers that cancel each other out are as inexact as the largest of them.
  const numbers = table.rows.flatMap(({ values }) => values.filter((value) => typeof value === 'number'))
  const largest = numbers.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const failed = difference(
    actualStatistics,
    statistics,
    { relative: 1e-9, absolute: largest * 1e-14 * numbers.length },
    '.statistics',
  )
  return failed ?? difference(others, rest, toleranceOf(query))
}

function compareColumnsJson(actual: unknown, table: PlainTable, query: PlainQuery): string | undefined {
  const { columns } = sheetOf(table, query)
  const lines = parseCsv(ncsvOf(table, query)).slice(1)
  const rows = lines.map((cells) =>
    Object.fromEntries(
      columns.map(({ name, type }, index) => {
        const cell = cells[index]!
        const isNumber = type === 'double' || type === 'integer'
        return [name, index > 0 && cell === '' ? null : isNumber ? Number(cell) : cell]
      }),
    ),
  )
  return difference((actual as { values: unknown }).values, rows, toleranceOf(query))
}

const arrowTypes: Record<string, string> = {
  double: 'Float64',
  integer: 'Int64',
  string: 'Utf8',
}

function compareArrow(bytes: Buffer, table: PlainTable, query: PlainQuery): string | undefined {
  const sheet = sheetOf(table, query)
  const decoded = tableFromIPC(bytes)
  const names = uniqueNames(sheet.columns)
  const expected = {
    fields: sheet.columns.map(({ type }, index) => ({
      name: names[index],
      type: type === 'date' ? `Timestamp<MILLISECOND, ${query.timeZone ?? 'UTC'}>` : arrowTypes[type],
    })),
    rows: sheet.rows,
  }
  const fields = decoded.schema.fields.map(({ name, type }) => ({ name, type: String(type) }))
  const columns = fields.map((_, index) => decoded.getChildAt(index)!)
  const rows = Array.from({ length: decoded.numRows }, (_, row) =>
    columns.map((column) => {
      const value: unknown = column.get(row)
      return typeof value === 'bigint' ? Number(value) : value
    }),
  )
  return difference({ fields, rows }, expected, toleranceOf(query))
}

/** A downsampled result cannot be compared as a list, so its required points are checked. */
function compareDrawn(actual: unknown, table: PlainTable, query: PlainQuery): string | undefined {
  const { points, values } = actual as {
    points: { raw: number; drawn: number }
    values: { symbol: number; timestamps: number[]; columns: Record<string, (number | null)[]> }[]
  }
  const whole = jsonOf(table, { ...query, drawPoints: undefined }) as { values: typeof values }
  const tolerance = toleranceOf(query)
  const isSame = (a: unknown, b: unknown) => difference(a, b, tolerance) === undefined
  const isAbove = (a: number, b: number) => a > b && !isNear(a, b, tolerance)
  const requested = query.drawPoints!
  const raw = whole.values.reduce((sum, item) => sum + item.timestamps.length, 0)
  if (points?.raw !== raw) return `points.raw: ${points?.raw} instead of ${raw}`
  const drawn = values.reduce((sum, item) => sum + item.timestamps.length, 0)
  if (points.drawn !== drawn) return `points.drawn: ${points.drawn}, but ${drawn} are there`
  if (values.length !== whole.values.length)
    return `${values.length} series instead of ${whole.values.length}`
  const all = whole.values.flatMap((item) => item.timestamps)
  const [first, last] = [Math.min(...all), Math.max(...all)]
  for (const [number, given] of whole.values.entries()) {
    const item = values[number]!
    if (item.symbol !== given.symbol) return `.values.${number}.symbol: ${item.symbol}`
    if (given.timestamps.length <= requested) {
      const failed = difference(item, given, toleranceOf(query), `.values.${number}`)
      if (failed) return failed
    }
    const names = Object.keys(given.columns)
    const isBound = (query.corrections ?? 'false') === 'false'
    if (isBound && item.timestamps.length > names.length * (requested + 4))
      return `series ${number} has ${item.timestamps.length} points`
    for (const name of names) {
      const rawPoints = pointsOf(given.timestamps, given.columns[name]!)
      const drawnPoints = pointsOf(item.timestamps, item.columns[name] ?? [])
      for (const [ts, value] of drawnPoints) {
        if (!rawPoints.some(([time, other]) => time === ts && isSame(other, value)))
          return `${name} of series ${number} has ${value} at ${ts}, which is not a point`
      }
      if (typeof rawPoints[0]?.[1] !== 'number') continue
      const spans = Math.floor(requested / 4)
      // Spans are of whole milliseconds.
      const width = Math.floor((last - first) / spans) + 1
      for (let span = 0; span < spans; span++) {
        const start = first + width * span
        const isInside = ([ts]: [number, number | null]) => ts >= start && ts < start + width
        const inside = rawPoints.filter(isInside)
        const near = drawnPoints.filter(isInside)
        if (inside.length === 0) continue
        const values = (list: typeof inside) => list.map(([, value]) => value as number)
        const lost = [
          isAbove(Math.min(...values(near)), Math.min(...values(inside))) && 'smallest',
          isAbove(Math.max(...values(inside)), Math.max(...values(near))) && 'largest',
          !(near[0]![0] <= inside[0]![0]) && 'first',
          !(near.at(-1)![0] >= inside.at(-1)![0]) && 'last',
        ].filter(Boolean)
        if (near.length === 0 || lost.length > 0)
          return `${name} of series ${number} lacks the ${lost.join(', ')} of span ${span}`
      }
    }
  }
  return undefined
}

function pointsOf(timestamps: number[], values: (number | null)[]): [number, number | null][] {
  const points = timestamps.map((ts, index): [number, number | null] => [ts, values[index] ?? null])
  return points.filter(([, value]) => value !== null).sort(([a], [b]) => a - b)
}

/** Describes the smallest data and query that fail like the given one. */
async function explain(
  engine: SeriesEngine,
  steps: readonly Step[],
  at: {
    seed: number
    world: number
    number: number
    query: PlainQuery
    failure: string
    nextDataset: number
  },
): Promise<Error> {
  let dataset = at.nextDataset + 100_000
  const fails = async (someSteps: readonly Step[], someQuery: PlainQuery) => {
    dataset += 10
    const plain = await replay(engine, someSteps, dataset)
    return compare(engine, plain, someQuery, dataset)
  }
  let smallest = at.query
  let failure = (await fails(steps, at.query)) ?? `${at.failure}\n(not reproducible)`
  dataset += 10
  const plain = await replay(engine, steps, dataset)
  for (let tries = 0, isSmaller = true; isSmaller && tries < 400;) {
    isSmaller = false
    for (const simpler of simplifications(smallest)) {
      if (++tries > 400) break
      const failed = await compare(engine, plain, simpler, dataset)
      // A smaller query may fail for another reason.
      if (failed === undefined || errorOf(failed) !== errorOf(failure)) continue
      smallest = simpler
      failure = failed
      isSmaller = true
      break
    }
  }
  let fewest = [...steps]
  for (const step of steps) {
    const fewer = fewest.filter((other) => other !== step)
    const failed = await fails(fewer, smallest).catch(() => undefined)
    if (failed) [fewest, failure] = [fewer, failed]
  }
  for (let size = 32, tries = 0; size >= 1 && tries < 150; size = Math.floor(size / 2)) {
    for (const fewer of withFewerRows(() => fewest, size)) {
      if (++tries > 150) break
      const failed = await fails(fewer, smallest).catch(() => undefined)
      if (failed) [fewest, failure] = [fewer, failed]
    }
  }
  return new Error(
    [
      `Seed ${at.seed}, world ${at.world}, query ${at.number}: the result differs from the plain engine.`,
      `Query: ${JSON.stringify(smallest)}`,
      `Uploads: ${JSON.stringify(fewest)}`,
      `Difference: ${failure}`,
    ].join('\n'),
  )
}

/** Returns the error code of a failure; undefined for a wrong response. */
function errorOf(failure: string): string | undefined {
  return /^error (\w+)/.exec(failure)?.[1]
}

/** Returns the remaining steps, each with fewer rows of one upload, from the last row to the first. */
function* withFewerRows(left: () => Step[], size: number): Generator<Step[]> {
  for (let at = 0; at < left().length; at++) {
    const step = left()[at]!
    if (step.kind !== 'upload') continue
    const count = step.batches.flat().length
    for (let from = Math.floor((count - 1) / size) * size; from >= 0; from -= size) {
      const now = left()[at] as typeof step
      yield left().with(at, { ...now, batches: [now.batches.flat().toSpliced(from, size)] })
    }
  }
}

function* simplerFormulas(formula: SeriesFormula): Generator<SeriesFormula> {
  for (const tree of simplerNodes(treeOf(formula))) yield { ...formula, expression: compileExpression(tree) }
  for (const [at, input] of formula.inputs.entries()) {
    if (!('formula' in input)) continue
    for (const simpler of simplerFormulas(input.formula))
      yield { ...formula, inputs: formula.inputs.with(at, { formula: simpler }) }
  }
}

function* simplerNodes(node: ExpressionNode): Generator<ExpressionNode> {
  if (node.kind !== 'call') return
  yield* node.arguments
  for (const [at, argument] of node.arguments.entries())
    for (const simpler of simplerNodes(argument))
      yield { ...node, arguments: node.arguments.with(at, simpler) }
}

/** Returns slightly simpler queries. */
function* simplifications(query: PlainQuery): Generator<PlainQuery> {
  const { selections } = query
  const withSelection = (at: number, change: Partial<PlainQuery['selections'][number]>) => ({
    ...query,
    selections: selections.map((selection, index) =>
      index === at ? { ...selection, ...change } : selection,
    ),
  })
  for (let at = 0; at < selections.length; at++) yield { ...query, selections: selections.toSpliced(at, 1) }
  for (const key of Object.keys(query) as (keyof PlainQuery)[]) {
    if (key === 'selections' || key === 'symbolKeys') continue
    // Only downsampled results in the format UI are compared as such.
    if (key === 'format' && query.drawPoints !== undefined) continue
    const { [key]: _, ...rest } = query
    yield rest as PlainQuery
  }
  for (const [at, { series, columns, shift, fill, formula }] of selections.entries()) {
    if (formula) {
      if (shift) yield withSelection(at, { shift: undefined })
      if (fill) yield withSelection(at, { fill: undefined })
      for (const simpler of simplerFormulas(formula)) yield withSelection(at, { formula: simpler })
      continue
    }
    for (let index = 0; index < series.length; index++)
      yield withSelection(at, { series: series.toSpliced(index, 1) })
    for (let index = 0; index < columns.length; index++)
      yield withSelection(at, { columns: columns.toSpliced(index, 1) })
    if (shift) yield withSelection(at, { shift: undefined })
    if (fill) yield withSelection(at, { fill: undefined })
  }
  if (query.symbolKeys.length > 1) {
    const first = selections.map((selection) => ({
      ...selection,
      series: selection.series.map((label) => ({ ...label, symbols: label.symbols.slice(0, 1) })),
    }))
    yield { ...query, symbolKeys: query.symbolKeys.slice(0, 1), selections: first }
  }
  const { filters = [] } = query
  if (filters.length > 1)
    for (let at = 0; at < filters.length; at++) yield { ...query, filters: filters.toSpliced(at, 1) }
  if (query.corrections !== undefined && query.corrections !== 'true') yield { ...query, corrections: 'true' }
}
