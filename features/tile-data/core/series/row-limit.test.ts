import { expect, test } from 'vitest'
import { splitByGroup } from './merge-results.ts'
import { limitText, rowsOfAll, seriesWithoutRows } from './row-limit.ts'
import { readSeriesResult, rowsBySymbol } from './series-result.ts'
import { newSeriesRange, seriesRange } from './series-range.ts'
import { seriesRequest } from './series-request.ts'
import { inWindow, withWindow } from './result-window.ts'

const brent = { groupName: 'Energy', symbols: { Code: 'B' }, valueColumnNames: ['Close'] }
const all = seriesRange.parse({ range: 'ALL' })
const limitsOf = (...given: Parameters<typeof seriesRequest>) => {
  const { query, body } = seriesRequest(...given)
  return [query.absoluteSize, body.countRows, body.drawPoints]
}

test('counts rows or selects points for drawing only if the rows may exceed the limit', () => {
  const last = (lastTypeAmount: number, more = {}) =>
    seriesRange.parse({ range: 'LAST', lastTypeAmount, ...more })
  const wti = { ...brent, symbols: { Code: 'W' } }
  expect(limitsOf([brent], newSeriesRange(), { drawn: true })).toEqual([5000, undefined, undefined])
  expect(limitsOf([brent, wti], last(2500), { drawn: true })).toEqual([5000, undefined, undefined])
  expect(limitsOf([brent, wti], last(2501), { drawn: true })).toEqual([5000, undefined, 4000])
  expect(limitsOf([brent, wti], last(2501))).toEqual([5000, true, undefined])
  expect(limitsOf([brent], last(5, { lastType: 'YEARS' }))).toEqual([5000, true, undefined])
  expect(limitsOf([{ ...brent, pattern: true }], last(5))).toEqual([5000, true, undefined])
  expect(limitsOf([{ ...brent, fillType: 'LAST' }, wti], last(5))).toEqual([5000, true, undefined])
  expect(limitsOf([brent], all)).toEqual([5000, true, undefined])
  expect(limitsOf([brent], all, { drawn: true })).toEqual([5000, undefined, 4000])
})

test('no request exceeds the number of rows that a page loads', () => {
  expect(limitsOf([brent], all, { all: true })).toEqual([100_000, true, undefined])
  expect(limitsOf([brent], { ...all, absoluteSize: null })).toEqual([100_000, true, undefined])
  expect(limitsOf([brent], { ...all, absoluteSize: 2_000_000 })).toEqual([100_000, true, undefined])
  expect(limitsOf([brent], { ...newSeriesRange(), absoluteSize: null })).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('describes the loaded rows and, if known, their total', () => {
  const result = (count: number, more = {}) => ({
    rows: Array.from({ length: count }, () => []),
    limited: false,
    ...more,
  })
  expect(limitText([result(3)])).toBeUndefined()
  expect(limitText([result(3, { limited: true, totalRows: 22_683 }), result(2)])).toBe(
    'newest 5 of 22,685 rows',
  )
  expect(limitText([result(3, { limited: true })], 'first')).toBe('first 3 rows')
  expect(limitText([result(3, { drawn: true, totalRows: 9 })])).toBeUndefined()
  expect(rowsOfAll([result(3, { drawn: true, totalRows: 9 }), result(2)])).toEqual({ loaded: 5, total: 11 })
  expect(rowsOfAll([result(3)])).toBeUndefined()
})

test('names the series that have no rows because of the row limit, if the rows identify their series', () => {
  const groupNames = new Set(['Energy'])
  const rows = [['B', '2026-01-02T00:00:00', '1']]
  const result = (header: string[], limited = true) => [{ groupNames, result: { header, rows, limited } }]
  const wti = { ...brent, symbols: { Code: 'W' } }
  const elsewhere = { ...wti, groupName: 'Other' }
  const wanted = [brent, wti, elsewhere, { ...brent, symbols: { Code: '*' } }]
  expect(seriesWithoutRows(wanted, result(['Code', 'Date(UTC)', 'Close']))).toEqual(['W'])
  expect(seriesWithoutRows(wanted, result(['Code', 'Date(UTC)', 'Close'], false))).toEqual([])
  expect(seriesWithoutRows(wanted, result(['Date(UTC)', 'B Close', 'W Close']))).toEqual([])
})

test('queries a window in UTC and replaces the rows in it', () => {
  const [query] = splitByGroup([brent]).map((entries) => ({
    groupNames: new Set(['Energy']),
    request: seriesRequest(entries, { ...all, timeZone: 'Europe/Berlin' }, { drawn: true }),
  }))
  const window = { from: Date.UTC(2026, 6, 2, 22), to: Date.UTC(2026, 6, 4, 22) }
  const part = inWindow(query!, window).request
  expect(part.query).toEqual(query!.request.query)
  expect(part.body).toEqual({
    ...query!.request.body,
    windowStart: '2026-07-02T22:00:00.000Z',
    windowEnd: '2026-07-04T22:00:00.000Z',
  })

  const loaded = (rows: readonly string[], options = {}) => {
    const result = readSeriesResult(`Code,Date(Europe/Berlin),Close\n${rows.join('\n')}\n`, options)
    return { groupNames: new Set(['Energy']), result, rowsOf: rowsBySymbol(result) }
  }
  const row = (day: number, value: number) => `B,2026-07-0${day}T00:00:00,${value}`
  const whole = loaded([row(6, 6), row(5, 5), row(3, 3), row(2, 2)], { totalRows: 90, drawn: true })
  const detailed = withWindow(whole, loaded([row(5, 5), row(4, 4), row(3, 3)]), window, 'Europe/Berlin')
  expect(detailed.rowsOf({ Code: 'B' }).map(([, date]) => Number(date!.slice(9, 10)))).toEqual([
    6, 5, 4, 3, 2,
  ])
  expect(detailed.result).toMatchObject({ totalRows: 90, drawn: true, limited: false })
})
