import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { getDemo } from '@headwater/demo/contract'
import { startTestServer, type TestServer } from '@headwater/server/testing'
import { type DataPrepSymbols, type Tile } from '@headwater/tile-data/contract'
import { getInsight, searchInsights } from '@headwater/insights/contract'
import { readSeriesResult, seriesRange, seriesRequest } from '@headwater/tile-data/core'
import { reportsOf } from './testing/reports-of.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ env: { HEADWATER_DEMO: 'on' } })
  const demoState = async () => (await server.admin.call(getDemo, {})).state
  await vi.waitFor(async () => expect(await demoState()).toBe('loaded'), { timeout: 60_000, interval: 100 })
})
afterAll(() => server.stop())

interface StoredSeries {
  groupName: string
  symbols: Record<string, string>
  column: string
  movingAverage?: boolean
}

/** Queries a series of a tile as the browser does; returns rows of time and value, newest first. */
async function queryAsBrowser(tile: Tile, { groupName, symbols, column }: StoredSeries): Promise<string[][]> {
  const entry: DataPrepSymbols = { groupName, symbols, valueColumnNames: [column] }
  const { query, body } = seriesRequest([entry], seriesRange.parse({ ...tile, absoluteSize: null }))
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const response = await server.admin.fetch(`/ts/stream?${search.toString()}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', Accept: 'text/csv' },
  })
  const { header, rows } = readSeriesResult(await response.text())
  const [time, value] = [header.findIndex((name) => name.startsWith('Date(')), header.length - 1]
  return rows.map((row) => [row[time]!.slice(0, 10), row[value]!])
}

const numberOf = (cell: string | undefined) => Number((cell ?? '').replace(/[^\d.-]/g, ''))

test('reports of the demo insights contain the values that the browser receives', async () => {
  const { admin } = server
  const read = reportsOf(server)
  const { items } = await admin.call(searchInsights, { query: {} })
  let compared = 0
  for (const { insightName, groupName } of items) {
    const { content } = await admin.call(getInsight, { params: { insightName, groupName } })
    const report = await read(admin, { insightName, groupName })
    expect(report.tiles.map(({ title }) => title)).toEqual(content.tiles.map(({ title }) => title))
    for (const [index, tile] of content.tiles.entries()) {
      const { table, text, note } = report.tiles[index]!
      if (tile.type === 'Text') expect(text).toBe(tile.templateContent)
      if (tile.type === 'CODE') expect(note).not.toBe('')
      if (tile.type !== 'Chart' || tile.basicChartType === 'seasonality') continue
      for (const [at, series] of (tile.series as StoredSeries[]).entries()) {
        if (series.movingAverage === true) continue
        const points = await queryAsBrowser(tile, series)
        const reportedRows = table!.rows.map((row) => [row[0]!.slice(0, 10), row[at + 1]!] as const)
        const expected = new Map(points.map(([day, value]) => [day, value]))
        for (const [day, cell] of reportedRows)
          if (cell !== '') expect([day, numberOf(cell)]).toEqual([day, Number(expected.get(day))])
        const filled = reportedRows.filter(([, cell]) => cell !== '')
        expect(filled.length).toBeGreaterThan(0)
        compared += filled.length
      }
    }
  }
  expect(items.length).toBeGreaterThan(1)
  expect(compared).toBeGreaterThan(300)
})

test('the table and the figures of “One stock at a time” reflect the initial choice', async () => {
  const about = { groupName: 'Demo', insightName: 'One stock at a time' }
  const { content } = await server.admin.call(getInsight, { params: about })
  const { tiles } = await reportsOf(server)(server.admin, about)
  const months = content.tiles.findIndex(({ id }) => id === 'months')
  const close = { groupName: 'Stock prices', symbols: { Ticker: 'MSFT' }, column: 'Close' }
  const points = await queryAsBrowser(content.tiles[months]!, close)
  const reported = tiles[months]!.table!
  expect(reported.rows.map((row) => numberOf(row.at(-1)))).toEqual(
    points.slice(0, 50).map(([, value]) => Number(value)),
  )
  const [price, highest] = ['price', 'highest'].map((id) =>
    numberOf(tiles[content.tiles.findIndex((tile) => tile.id === id)]!.table!.rows[0]![1]),
  )
  const all = points.map(([, value]) => Number(value))
  expect([price, highest]).toEqual([all[0], Math.max(...all)])
})
