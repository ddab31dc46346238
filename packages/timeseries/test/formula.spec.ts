import { call, compileExpression, counted, number, x, type ExpressionNode } from '@headwater/formula/testing'
import { describe, expect, test } from 'vitest'
import type { SeriesEngine } from '../src/series-engine.ts'
import type { SeriesFormula } from '../src/series-formula.ts'
import {
  overflowsOf,
  pick,
  price,
  readBytes,
  readLines,
  storePoints,
  volume,
  type NamedColumn,
} from './spec-points.ts'

const computed: NamedColumn = { id: 9, name: 'Value', type: 'double' }
/** Tests series computed from others. */
export function describeFormulas(getEngine: () => SeriesEngine): void {
  describe('formulas', () => {
    const first = { dataset: 321, sid: 1, column: price }
    const second = { dataset: 322, sid: 5, column: volume }

    async function store(): Promise<void> {
      for (const dataset of [321, 322]) await getEngine().dropDataset(dataset)
      await storePoints(
        getEngine(),
        321,
        1,
        [price],
        [
          [1, '2023-01-01', 1.5],
          [1, '2023-01-02', -4],
          [1, '2023-01-04', 8],
          [2, '2023-01-01', 77],
        ],
      )
      await storePoints(
        getEngine(),
        322,
        2,
        [volume],
        [
          [5, '2023-01-01', 2],
          [5, '2023-01-03', 3],
          [5, '2023-01-04', 0],
        ],
      )
    }

    async function result(
      tree: ExpressionNode,
      { join = 'inner', inputs = [first, second] }: Partial<SeriesFormula> = {},
      rest: Partial<Parameters<typeof readLines>[2]> = {},
    ): Promise<string[]> {
      const selection = pick(323, [9], [computed], {
        formula: { inputs, join, expression: compileExpression(tree) },
      })
      const lines = await readLines(getEngine(), [selection], rest)
      return lines.slice(1).map((line) => line.replace(/^S9,2023-01-0(\d)T00:00:00/, '$1'))
    }

    test('inner: where all inputs have a value, regardless of their datasets and types', async () => {
      await store()
      expect(await result(call('add', x(0), x(1)))).toEqual(['1,3.5', '4,8'])
    })

    test('outer: where one input has a value, with the others empty', async () => {
      await store()
      const tree = call('add', call('coalesce', x(0), number(100)), call('coalesce', x(1), number(1000)))
      expect(await result(tree, { join: 'outer' })).toEqual(['1,3.5', '2,996', '3,103', '4,8'])
      expect(await result(call('add', x(0), x(1)), { join: 'outer' })).toEqual(['1,3.5', '4,8'])
    })

    test('previous: inputs without a value have their previous one', async () => {
      await store()
      expect(await result(call('add', x(0), x(1)), { join: 'previous' })).toEqual([
        '1,3.5',
        '2,-2',
        '3,-1',
        '4,8',
      ])
    })

    test('an operation without a finite result is empty, and so is everything computed from it', async () => {
      await store()
      expect(await result(call('divide', x(0), x(1)))).toEqual(['1,0.75'])
      expect(await result(call('sqrt', x(0)), { inputs: [first] })).toHaveLength(2)
      expect(await result(call('abs', call('ln', x(0))), { inputs: [first] })).toHaveLength(2)
      expect(await result(call('coalesce', call('divide', x(0), x(1)), number(7)))).toEqual(['1,0.75', '4,7'])
    })

    test('computes ln, log10, exp and powers', async () => {
      await store()
      const value = async (tree: ExpressionNode) => Number((await result(tree)).at(-1)!.slice(2))
      expect(await value(call('ln', x(0)))).toBeCloseTo(Math.log(8), 12)
      expect(await value(call('log10', x(0)))).toBeCloseTo(Math.log10(8), 12)
      expect(await value(call('exp', x(0)))).toBeCloseTo(Math.exp(8), 9)
      expect(await value(call('power', x(0), number(1 / 3)))).toBeCloseTo(2, 12)
    })

    test('lag, mean and sum use the timestamps of the formula, including those before the range', async () => {
      await store()
      const last = { range: { kind: 'LAST', amount: 1, unit: 'VALUES' } } as const
      const alone = { inputs: [first] }
      expect(await result(counted('lag', 2, x(0)), alone)).toEqual(['4,1.5'])
      expect(await result(counted('lag', 1, x(0)), alone, last)).toEqual(['4,-4'])
      expect(await result(counted('lag', 2, number(7)), alone)).toEqual(['4,7'])
      expect(await result(counted('mean', 2, x(0)), alone)).toEqual(['2,-1.25', '4,2'])
      expect(await result(counted('sum', 3, x(0)), alone, last)).toEqual(['4,5.5'])
    })

    test('long series are in order and seamless, computed at once or in parts', async () => {
      for (const count of [90_000, 300_000]) {
        await getEngine().dropDataset(324)
        const start = Date.UTC(2000, 0, 1)
        const minutes = (sid: number, rows: number[]) => ({
          sids: new Uint32Array(rows.length).fill(sid),
          timestamps: Float64Array.from(rows, (row) => start + row * 60_000),
          values: [Float64Array.from(rows)],
        })
        const all = Array.from({ length: count }, (_, row) => row)
        const batches = [minutes(1, all), minutes(2, [10])]
        await getEngine().stage({ dataset: 324, version: 1, columns: [price], batches })
        await getEngine().publish(324, 1)
        const inputs = [1, 2, 1].map((sid) => ({ dataset: 324, sid, column: price }))
        const tree = call(
          'add',
          counted('lag', 1000, x(0)),
          call('subtract', x(1), counted('mean', 30, x(2))),
        )
        const selections = (['previous', 'inner', 'outer'] as const).map((join, index) =>
          pick(325, [index + 1], [computed], {
            formula: { inputs, join, expression: compileExpression(join === 'previous' ? tree : x(0)) },
          }),
        )
        const lines = await readLines(getEngine(), selections)
        const values = lines.slice(1).map((line) => Number(line.split(',')[2]))
        const expected = all.slice(1000).map((row) => row - 1000 + 10 - (row - 14.5))
        expect(values).toEqual([...expected, 10, ...all])
        expect(lines[expected.length + 1]).toBe('S2,2000-01-01T00:10:00,10')
      }
    })

    test('computes a formula of a formula', async () => {
      await store()
      const doubled: SeriesFormula = {
        inputs: [first],
        join: 'inner',
        expression: compileExpression(call('multiply', x(0), number(2))),
      }
      const inputs = [{ formula: doubled }, second]
      expect(await result(call('add', x(0), x(1)), { inputs })).toEqual(['1,5', '4,16'])
    })

    test('filters, order and a range of values apply to computed points; asOf uses the inputs of that time', async () => {
      await store()
      const tree = call('multiply', x(0), x(0))
      const alone = { inputs: [first] }
      const filters = [{ column: 'Value', operator: 'greater', value: 10 }] as const
      expect(await result(tree, alone, { filters, order: 'desc' })).toEqual(['4,64', '2,16'])
      await storePoints(getEngine(), 321, 9, [price], [[1, '2023-01-04', 1]])
      expect(await result(tree, alone, { filters })).toEqual(['2,16'])
      expect(await result(tree, alone, { filters, asOf: 8 })).toEqual(['2,16', '4,64'])
    })

    test('returns the newest values, even if they are far apart or a filter leaves few', async () => {
      for (const dataset of [321, 322]) await getEngine().dropDataset(dataset)
      const days = Array.from({ length: 25 }, (_, day) => `2023-01-${String(day + 1).padStart(2, '0')}`)
      await storePoints(
        getEngine(),
        321,
        1,
        [price],
        days.map((day, at) => [1, day, at]),
      )
      await storePoints(
        getEngine(),
        322,
        1,
        [volume],
        [0, 1, 2, 24].map((at) => [5, days[at]!, at]),
      )
      const last = (amount: number) => ({ range: { kind: 'LAST', amount, unit: 'VALUES' } }) as const
      const sum = call('add', x(0), x(1))
      expect(await result(sum, {}, last(2))).toEqual(['3,4', 'S9,2023-01-25T00:00:00,48'])
      expect(await result(sum, {}, last(9))).toHaveLength(4)
      const alone = { inputs: [first] }
      expect(await result(x(0), alone, { ...last(1), order: 'desc' })).toEqual(['S9,2023-01-25T00:00:00,24'])
      const filters = [{ column: 'Value', operator: 'less', value: 2 }] as const
      expect(await result(x(0), alone, { ...last(2), filters })).toEqual(['1,0', '2,1'])
    })

    test('a new point of an input is visible at once, even if the newest points were queried before', async () => {
      await store()
      const last = { range: { kind: 'LAST', amount: 2, unit: 'VALUES' } } as const
      const alone = { inputs: [first] }
      expect(await result(x(0), alone, last)).toEqual(['2,-4', '4,8'])
      await storePoints(getEngine(), 321, 5, [price], [[1, '2023-01-05', 9]])
      expect(await result(x(0), alone, last)).toEqual(['4,8', '5,9'])
    })

    test('an input that is not stored has no values', async () => {
      await store()
      for (const gone of [
        { ...first, sid: 99 },
        { ...first, dataset: 329 },
        { ...first, column: { ...price, id: 77 } },
      ])
        expect(await result(call('add', x(0), x(1)), { inputs: [first, gone] })).toEqual([])
    })

    test('sums of computed values beyond the range of a double are empty and counted', async () => {
      await getEngine().dropDataset(261)
      await storePoints(
        getEngine(),
        261,
        1,
        [price],
        [
          [1, '2023-01-01T01:00', 1e90],
          [1, '2023-01-01T02:00', 1e90],
          [1, '2023-01-02', 2],
        ],
      )
      const square = call('multiply', x(0), x(0))
      const cube = call('multiply', square, call('divide', x(0), number(10)))
      const resample = { unit: 'DAYS', amount: 1, functions: ['sum'] } as const
      for (const [tree, isEmpty] of [
        [square, false],
        [cube, false],
        [call('multiply', cube, number(1.5e39)), true],
      ] as const) {
        const formula = {
          inputs: [{ dataset: 261, sid: 1, column: price }],
          join: 'inner' as const,
          expression: compileExpression(tree),
        }
        const selections = [pick(261, [9], [computed], { formula })]
        const [, sum = ''] = await readLines(getEngine(), selections, { resample })
        expect(sum.endsWith(',')).toBe(isEmpty)
        expect(await overflowsOf(getEngine(), selections, { resample })).toEqual(
          Array.from({ length: 5 }, () => (isEmpty ? 1 : 0)),
        )
      }
    })

    test('computes formulas nested as deep as allowed', async () => {
      await store()
      let chain = x(0)
      for (let height = 1; height < 100; height++) chain = call('add', chain, number(1))
      expect((await result(chain, { inputs: [first] })).at(-1)).toBe('4,107')
      let layered = x(0)
      for (let layer = 0; layer < 8; layer++) layered = counted('round', 2, call('add', layered, number(1)))
      let nested: SeriesFormula = {
        inputs: [first, second],
        join: 'previous',
        expression: compileExpression(layered),
      }
      for (let depth = 2; depth <= 5; depth++)
        nested = { inputs: [{ formula: nested }], join: 'previous', expression: compileExpression(layered) }
      expect((await result(layered, nested)).at(-1)).toBe('4,48')
      const wide = Array.from({ length: 20 }, (_, input) => x(input))
      const inputs = wide.map(() => first)
      expect((await result(call('max', ...wide), { inputs })).at(-1)).toBe('4,8')
    })

    test('rejects formulas that cannot be computed', async () => {
      const refuse = async (tree: ExpressionNode, rest: Partial<SeriesFormula> = {}) =>
        expect(result(tree, rest)).rejects.toMatchObject({ code: 'invalid' })
      await refuse(x(2))
      await refuse(x(0), { inputs: [] })
      await refuse(x(0), { join: 'cross' as 'inner' })
      const endless = { inputs: [first], join: 'inner', expression: compileExpression(x(0)) } as SeriesFormula
      Object.assign(endless, { inputs: [{ formula: endless }] })
      await refuse(x(0), { inputs: [{ formula: endless }] })
      const two = pick(323, [8, 9], [computed], {
        formula: { inputs: [first], join: 'inner', expression: compileExpression(x(0)) },
      })
      await expect(readBytes(getEngine(), { symbolKeys: ['Code'], selections: [two] })).rejects.toThrow(
        'for one series',
      )
    })
  })
}
