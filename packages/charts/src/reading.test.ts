import { expect, test } from 'vitest'
import type { SeriesSpec } from './chart-spec.ts'
import { exportRows } from './export-rows.ts'
import { moved, scaled } from './gestures.ts'
import { moveByKey } from './keyboard.ts'
import { axisScale, pointsInView, toModel } from './model.ts'
import { nearestX, neighbourX, readAt } from './reading.ts'
import { toTable } from './table.ts'
import { createFormatter } from './formatter.ts'

const A: SeriesSpec = { label: 'A', kind: 'line', x: [0, 10, 20, 30], y: [1, 2, null, 4] }
const B: SeriesSpec = { label: 'B', kind: 'line', x: [5, 20], y: [50, 60] }
const model = toModel({ series: [A, B], x: { kind: 'number' } }, new WeakMap())
const all = { from: 0, to: 30 }
const press = (key: string, cursor: number | null, window = all, shiftKey = false) =>
  moveByKey({ key, shiftKey, ctrlKey: false, metaKey: false, altKey: false }, model, window, cursor)

test('the crosshair snaps to the nearest point of any series, never to a gap', () => {
  expect(nearestX(model, 11, all)).toBe(10)
  expect(nearestX(model, 6, all)).toBe(5)
  expect(nearestX(model, 22, all)).toBe(20)
  expect(nearestX(model, 26, all)).toBe(30)
  expect(nearestX(model, -100, all)).toBe(0)
  expect(nearestX(model, 29, { from: 11, to: 28 })).toBe(20)
  expect(nearestX(toModel({ series: [] }, new WeakMap()), 1, all)).toBeUndefined()
})

test('each series returns its point at x, the latest point before it, or none, and never an interpolated value', () => {
  const at = (x: number) => readAt(model, x).map(({ value, at: pointX }) => [value, pointX])
  expect(at(10)).toEqual([
    [2, 10],
    [50, 5],
  ])
  expect(at(20)).toEqual([
    [NaN, 20],
    [60, 20],
  ])
  expect(at(0)).toEqual([
    [1, 0],
    [NaN, NaN],
  ])
})

test('ignores hidden series', () => {
  const hidden = toModel({ series: [A, { ...B, hidden: true }] }, new WeakMap())
  expect(readAt(hidden, 10)).toHaveLength(1)
  expect(neighbourX(hidden, 0, 1)).toBe(10)
})

test('keys move from point to point across all series, and skip gaps', () => {
  expect(press('ArrowRight', null)).toEqual({ cursor: 0 })
  expect(press('ArrowRight', 0)).toEqual({ cursor: 5 })
  expect(press('ArrowRight', 20)).toEqual({ cursor: 30 })
  expect(press('ArrowLeft', 30)).toEqual({ cursor: 20 })
  expect(press('ArrowLeft', 0)).toBeUndefined()
  expect(press('Home', 20)).toEqual({ cursor: 0 })
  expect(press('End', 0)).toEqual({ cursor: 30 })
  expect(press('Escape', 0)).toEqual({ cursor: null, window: 'all' })
  expect(press('x', 0)).toBeUndefined()
})

test('the arrow keys treat several points at the same x as one step', () => {
  const dots: SeriesSpec = { label: 'D', kind: 'scatter', x: [0, 10, 10, 10, 20], y: [1, 2, null, 3, 4] }
  const scatter = toModel({ series: [dots], x: { kind: 'number' } }, new WeakMap())
  expect(neighbourX(scatter, 0, 1)).toBe(10)
  expect(neighbourX(scatter, 10, 1)).toBe(20)
  expect(neighbourX(scatter, 20, -1)).toBe(10)
  expect(neighbourX(scatter, 10, -1)).toBe(0)
})

test('the window follows the cursor, plus and minus zoom around it', () => {
  expect(press('ArrowRight', 10, { from: 0, to: 10 })).toEqual({ cursor: 20, window: { from: 10, to: 20 } })
  expect(press('+', 0)).toEqual({ window: { from: 0, to: 15 } })
  expect(press('-', 30, { from: 20, to: 30 })).toEqual({ window: { from: 10, to: 30 } })
})

test('zooming preserves the x under the pointer; moving preserves the width', () => {
  expect(scaled({ from: 0, to: 100 }, 0.25, 0.5)).toEqual({ from: 12.5, to: 62.5 })
  expect(moved({ from: 10, to: 20 }, -0.5)).toEqual({ from: 5, to: 15 })
})

test('the table of the chart has one row per x and contains gaps', () => {
  const table = toTable(model, { from: 5, to: 30 }, 3, createFormatter(model, 'en-GB'))
  expect(table.columns).toEqual(['x', 'A', 'B'])
  expect(table.rows).toEqual([
    { x: 5, xText: '5', cells: [null, 50] },
    { x: 10, xText: '10', cells: [2, null] },
    { x: 20, xText: '20', cells: [null, 60] },
  ])
  expect(table.totalRows).toBe(4)
})

test('tooltip and table format a series with the same decimals, according to its axis', () => {
  const x = [0.1, 0.1 + 0.2]
  const made = toModel(
    {
      series: [
        { label: 'Sums', kind: 'line', x, y: [83.2 + 0.05, 0.1 + 0.2] },
        { label: 'Parts', kind: 'line', axis: 'right', x, y: [1 / 3, 2] },
        { label: 'Range', kind: 'area', x, y: [2, 3], low: [1.5, 1.5] },
      ],
      x: { kind: 'number' },
      rightAxis: { unit: '%', decimals: 1 },
    },
    new WeakMap(),
  )
  const formatter = createFormatter(made, 'en-GB')
  const { formats, rows } = toTable(made, made.full, 2, formatter)
  expect(rows.map(({ cells }) => cells.map((value, at) => formats[at]!.text(value!)))).toEqual([
    ['83.25', '0.3%', '1.5', '2.0'],
    ['0.30', '2.0%', '1.5', '3.0'],
  ])
  expect(formats.map(({ decimals }) => decimals)).toEqual([2, 1, 1, 1])
  expect(rows.map(({ xText }) => xText)).toEqual(['0.1', '0.3'])
  expect(readAt(made, x[1]!).map(formatter.value)).toEqual(['0.30', '2.0%', '1.5 – 3.0'])
})

test('exports rows with times in UTC and empty cells for missing values', () => {
  const made = toModel(
    {
      series: [
        { label: 'a', kind: 'line', x: [0, 1000], y: [1.5, null] },
        { label: 'b', kind: 'line', x: [1000], y: [-2] },
      ],
    },
    new WeakMap(),
  )
  expect(exportRows(made, { from: 0, to: 1000 }, String)).toEqual([
    ['time', 'a', 'b'],
    ['1970-01-01T00:00:00.000Z', 1.5, null],
    ['1970-01-01T00:00:01.000Z', null, -2],
  ])
})

test('exports series by their labels, with the axis only for duplicates', () => {
  const [x, y] = [[0], [1]]
  const columns = (...series: SeriesSpec[]) => {
    const made = toModel({ series }, new WeakMap())
    const [head] = exportRows(made, { from: 0, to: 1 }, String)
    const table = toTable(made, { from: 0, to: 1 }, 1, createFormatter(made, 'en-GB'))
    expect(table.columns.slice(1)).toEqual(head!.slice(1))
    return head
  }
  const left: SeriesSpec = { label: 'IBM', kind: 'line', x, y }
  expect(columns(left, { ...left, label: 'MSFT', axis: 'right' })).toEqual(['time', 'IBM', 'MSFT'])
  expect(columns(left, { ...left, axis: 'right' })).toEqual(['time', 'IBM', 'IBM, right'])
})

test('a band has two values in the tooltip and two columns in tables, and its axis includes both but not zero', () => {
  const band: SeriesSpec = {
    label: 'Range',
    kind: 'area',
    x: [0, 1, 2],
    y: [52.5, null, 58],
    low: [50, null, 49],
  }
  const leftAxis = { domain: 'Auto scale', unit: '$' } as const
  const made = toModel({ series: [band], x: { kind: 'number' }, leftAxis }, new WeakMap())
  const { value } = createFormatter(made, 'en-GB')
  expect(readAt(made, 0).map(value)).toEqual(['$50.0 – $52.5'])
  expect(readAt(made, 1).map(value)).toEqual(['–'])
  expect(exportRows(made, made.full, String)).toEqual([
    ['x', 'Range low', 'Range high'],
    [0, 50, 52.5],
    [1, null, null],
    [2, 49, 58],
  ])
  expect(toTable(made, made.full, 1, createFormatter(made, 'en-GB'))).toMatchObject({
    columns: ['x', 'Range low', 'Range high'],
    rows: [{ x: 0, cells: [50, 52.5] }],
  })
  const scale = axisScale(made, 'left', made.full, 5)!
  expect([scale.min, scale.max]).toEqual([48, 58])
})

test('exports days of the year as days, not as dates of a year', () => {
  const x = { kind: 'time', format: 'dayOfYear', timeZone: 'UTC' } as const
  const series: SeriesSpec[] = [{ label: '1990', kind: 'line', x: [Date.UTC(2004, 0, 1)], y: [5] }]
  const made = toModel({ series, x }, new WeakMap())
  const formatter = createFormatter(made, 'en-GB')
  expect(exportRows(made, made.full, formatter.x)).toEqual([
    ['day', '1990'],
    ['01 Jan', 5],
  ])
  expect(toTable(made, made.full, 1, formatter)).toMatchObject({ columns: ['Day', '1990'] })
})

test('IN-170 Auto scale depends on the visible window, the other domains on all data', () => {
  const wide: SeriesSpec = { label: 'W', kind: 'line', x: [0, 1, 2, 3, 4, 5], y: [1000, 50, 51, 52, 53, 900] }
  const scale = (domain: 'Auto scale' | 'Fit to data') =>
    axisScale(
      toModel({ series: [wide], leftAxis: { domain } }, new WeakMap()),
      'left',
      { from: 2.2, to: 2.8 },
      5,
    )!
  expect([scale('Auto scale').min, scale('Auto scale').max]).toEqual([51, 52])
  expect([scale('Fit to data').min, scale('Fit to data').max]).toEqual([50, 1000])
})

test('Default omits a zero that is far from lines, and starts at zero for areas filled from it', () => {
  const range = (kind: SeriesSpec['kind'], y: number[]) => {
    const series: SeriesSpec[] = [{ label: 'W', kind, x: [0, 1, 2], y }]
    const made = toModel({ series, leftAxis: { domain: 'Default' } }, new WeakMap())
    const { min, max } = axisScale(made, 'left', made.full, 5)!
    return [min, max]
  }
  for (const kind of ['line', 'scatter'] as const) {
    expect(range(kind, [92.4, 95.3, 93])).toEqual([92, 96])
    expect(range(kind, [-92.4, -95.3, -93])).toEqual([-96, -92])
    expect(range(kind, [1, 9, 3])).toEqual([0, 10])
  }
  for (const kind of ['bars', 'area'] as const) expect(range(kind, [92.4, 95.3, 93])).toEqual([0, 100])
})

test('points in the window are the finite points of visible series', () => {
  expect(pointsInView(model, { from: 5, to: 20 })).toBe(3)
})

test('bars get space at both ends; a single point gets a range', () => {
  const bars = toModel({ series: [{ label: 'b', kind: 'bars', x: [0, 10], y: [1, 2] }] }, new WeakMap())
  expect(bars.full).toEqual({ from: -5, to: 15 })
  const one = toModel(
    { series: [{ label: 'a', kind: 'line', x: [5], y: [1] }], x: { kind: 'number' } },
    new WeakMap(),
  )
  expect(one.full).toEqual({ from: 4.5, to: 5.5 })
})

test('a series hidden by the legend stays hidden after an update, by label', () => {
  const before = toModel({ series: [A, B] }, new WeakMap())
  before.series[1]!.hidden = true
  const after = toModel({ series: [B, A] }, new WeakMap(), before)
  expect(after.series.map(({ hidden }) => hidden)).toEqual([true, false])
})

test('indexes the points of the same lists only once', () => {
  const cache = new WeakMap()
  const first = toModel({ series: [A] }, cache)
  const again = toModel({ series: [{ ...A, color: 'red' }] }, cache)
  expect(again.series[0]!.points).toBe(first.series[0]!.points)
})
