import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { call, compileExpression, counted, number, x, type ExpressionNode } from '@headwater/formula/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEmbeddedEngine, type EmbeddedEngine, type SeriesFormula } from '../src/index.ts'
import { FormulaSources } from '../src/formula-series.ts'
import type { OpenFormula } from '../src/open-formula.ts'
import { TimeSlice } from '../src/time-slice.ts'
import { pick, price, readLines, storePoints, type NamedColumn } from './spec-points.ts'

let folder: string
let engine: EmbeddedEngine
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'formula-work-'))
  engine = await openEmbeddedEngine({ folder })
  await storePoints(engine, 1, 1, [price], [[1, '2023-01-01', 1.5]])
})
afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

const computed: NamedColumn = { id: 9, name: 'Value', type: 'double' }
const stored = { dataset: 1, sid: 1, column: price }
const add = (a: ExpressionNode, b: ExpressionNode) => call('add', a, b)

/** Creates a sum of 20 equal inputs. */
function twenty(input: SeriesFormula['inputs'][number]): SeriesFormula {
  const tree = Array.from({ length: 20 }, (_, at) => x(at)).reduce(add)
  return {
    inputs: Array.from({ length: 20 }, () => input),
    join: 'outer',
    expression: compileExpression(tree),
  }
}

async function values(formulas: readonly SeriesFormula[]): Promise<number[]> {
  const selections = formulas.map((formula, at) => pick(2, [at + 1], [computed], { formula }))
  const lines = await readLines(engine, selections)
  return lines.slice(1).map((line) => Number(line.split(',')[2]))
}

test('computes a formula that others use many times only once, five levels deep', async () => {
  const formulas = [twenty(stored)]
  while (formulas.length < 5) formulas.push(twenty({ formula: formulas.at(-1)! }))
  expect(await values(formulas)).toEqual([1, 2, 3, 4, 5].map((level) => 1.5 * 20 ** level))
})

test('a source returns the points of a formula to all of its users, part by part', async () => {
  const slot = { dataset: 1, sid: 1, column: 1 }
  const inner: OpenFormula = {
    inputs: [slot],
    join: 'inner',
    expression: compileExpression(counted('sum', 20, x(0))),
    looksBack: true,
  }
  const outer: OpenFormula = {
    inputs: [inner, inner],
    join: 'inner',
    expression: compileExpression(add(x(0), x(1))),
    looksBack: true,
  }
  const sources = new FormulaSources([outer, inner, outer], () => 0, new TimeSlice())
  expect(sources.bufferedCount).toBe(2)
  const opened = [outer, inner, outer].map((formula) => sources.open(formula))
  for (let number = 0; number < 3; number++) {
    const rows = Float64Array.from({ length: 100 }, (_, row) => number * 100 + row)
    const part = {
      number,
      size: rows.length,
      points: [{ timestamps: rows, ages: new Float64Array(100), values: rows }],
    }
    const [first, second, third] = [
      await opened[0]!.next(part),
      await opened[1]!.next(part),
      await opened[2]!.next(part),
    ]
    const expected = [...rows].filter((row) => row >= 19).map((row) => 20 * row - 190)
    expect([...second!.values]).toEqual(expected)
    expect([...first!.values]).toEqual(expected.map((value) => 2 * value))
    expect(third).toBe(first)
  }
})

test('a long formula stops midway when its signal aborts', async () => {
  const formula: OpenFormula = {
    inputs: [{ dataset: 1, sid: 1, column: 1 }],
    join: 'inner',
    expression: compileExpression(Array.from({ length: 99 }, () => counted('round', 15, x(0))).reduce(add)),
    looksBack: false,
  }
  const rows = Float64Array.from({ length: 100_000 }, (_, row) => 1 + (row % 977) / 977)
  const part = { number: 0, size: rows.length, points: [{ timestamps: rows, ages: rows, values: rows }] }
  const slice = new TimeSlice(AbortSignal.abort(new Error('The request was cancelled.')))
  const source = new FormulaSources([formula], () => 0, slice).open(formula)
  await expect(Promise.resolve(source.next(part))).rejects.toThrow('The request was cancelled.')
})

test('long trees over long series return the same values in chunks as in one piece', async () => {
  const slot = { dataset: 1, sid: 1, column: 1 }
  const tree = add(counted('mean', 900, x(0)), counted('lag', 777, x(0)))
  const short: OpenFormula = {
    inputs: [slot],
    join: 'inner',
    expression: compileExpression(tree),
    looksBack: true,
  }
  const padding = Array.from({ length: 90 }, () => number(0))
  const long = { ...short, expression: compileExpression(padding.reduce(add, tree)) }
  const rows = Float64Array.from({ length: 70_000 }, (_, row) => Math.sin(row))
  const timestamps = Float64Array.from(rows, (_, row) => row)
  const part = { number: 0, size: rows.length, points: [{ timestamps, ages: rows, values: rows }] }
  const sources = new FormulaSources([short, long], () => 0, new TimeSlice())
  const before = Float64Array.from((await sources.open(short).next(part)).values)
  expect((await sources.open(long).next(part)).values).toEqual(before)
})

test('rejects a query with too many formulas, or too many nodes in them, with the limits', async () => {
  const many = (count: number): SeriesFormula[] =>
    Array.from({ length: count }, () => ({
      inputs: [stored],
      join: 'inner',
      expression: compileExpression(x(0)),
    }))
  const over = (inner: SeriesFormula[], width = 20): SeriesFormula[] =>
    Array.from({ length: Math.ceil(inner.length / width) }, (_, at) => ({
      inputs: inner.slice(at * width, (at + 1) * width).map((formula) => ({ formula })),
      join: 'inner',
      expression: compileExpression(x(0)),
    }))
  expect(await values(over(many(1900)))).toHaveLength(95)
  await expect(values(over(many(2000)))).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('at most 2000 formulas'),
  })
  const wide = () => Array.from({ length: 99 }, () => x(0)).reduce(add)
  const heavy = Array.from({ length: 250 }, (): SeriesFormula => ({
    inputs: [stored],
    join: 'inner',
    expression: compileExpression(call('max', ...Array.from({ length: 5 }, wide))),
  }))
  await expect(values(heavy)).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('at most 200000 numbers, inputs and functions'),
  })
})
