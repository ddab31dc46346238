import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataPrep, toDataQuery } from '@headwater/preps/contract'
import { administratorOf, startServerProcess, type ServerProcess } from './server-process.ts'

let dataFolder: string
let server: ServerProcess

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'headwater-demo-'))
  server = await startServerProcess(dataFolder, { HEADWATER_DEMO: 'on' })
})
afterAll(async () => {
  await server.stop()
  await rm(dataFolder, { recursive: true, force: true })
})

interface Named {
  name: string
}

async function groupNames(): Promise<string[]> {
  const page = await administratorOf(server.url).get('/file/group?query=tags=demo&sortBy=name&sortOrder=asc')
  return (page.items as Named[]).map(({ name }) => name)
}

async function demoState(): Promise<unknown> {
  return (await administratorOf(server.url).get('/demo')).state
}

test('the first start loads groups, series and an insight whose every tile finds its data', async () => {
  await expect.poll(demoState, { timeout: 60_000, interval: 250 }).toBe('loaded')
  expect(await groupNames()).toEqual([
    'Demo',
    'Iowa electricity',
    'Mauna Loa CO2',
    'Seattle weather',
    'Stock prices',
  ])
  const api = administratorOf(server.url)
  const name = encodeURIComponent('Electricity, weather, markets and air')
  const { content } = (await api.get(`/insights/Demo/${name}`)) as {
    content: {
      datapreps: Record<
        string,
        { symbols: { groupName: string; symbols: object; valueColumnNames: string[] }[] }
      >
    }
  }
  const asked = Object.values(content.datapreps).flatMap((prep) => prep.symbols)
  expect(asked.length).toBeGreaterThan(10)
  for (const { groupName, symbols, valueColumnNames } of asked) {
    const response = await api.request('/ts/stream', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        keys: [{ groupName, symbols, columns: valueColumnNames }],
        range: 'ALL',
        formatType: 'NCSV',
      }),
    })
    const lines = (await response.text()).trim().split('\n')
    expect(lines.length, JSON.stringify(symbols)).toBeGreaterThan(10)
  }
})

test('the first start makes data preps whose every symbol is there', async () => {
  const api = administratorOf(server.url)
  const { items } = await api.get('/dataprep?groupName=Demo&sortBy=name')
  expect((items as Named[]).map(({ name }) => name)).toEqual([
    'Last year of weather in Seattle',
    'Stock prices side by side',
  ])
  for (const { id } of items as { id: string }[]) {
    const prep = dataPrep.parse(await api.get(`/dataprep/${id}`))
    const response = await api.request('/ts/stream', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...toDataQuery(prep), outputLayout: 'ROWS' }),
    })
    const rows = (await response.text()).trim().split('\n').slice(1)
    expect(new Set(rows.map((row) => row.split(',')[0])).size, prep.name).toBe(prep.symbols.length)
  }
})

test('a removed demo workspace is gone, with its series, and does not come back with the next start', async () => {
  const response = await administratorOf(server.url).request('/demo', { method: 'DELETE' })
  expect(response.status).toBe(200)
  expect(await groupNames()).toEqual([])
  const symbols = await administratorOf(server.url).get('/ts/symbol/search?query=*')
  expect(symbols.totalSize).toBe(0)

  expect(await server.stop()).toBe(0)
  server = await startServerProcess(dataFolder, { HEADWATER_DEMO: 'on' })
  expect(await demoState()).toBe('removed')
  expect(await groupNames()).toEqual([])
})
