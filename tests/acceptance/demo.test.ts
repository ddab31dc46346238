import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { dataPrep, toDataQuery } from '@headwater/preps/contract'
import { administratorOf, startServerProcess, type ServerProcess } from './server-process.ts'

let parentFolder: string
let server: ServerProcess

beforeAll(async () => {
  parentFolder = await mkdtemp(join(tmpdir(), 'headwater-demo-'))
  server = await startWithDemo('data')
})
afterAll(async () => {
  await server.stop()
  await rm(parentFolder, { recursive: true, force: true })
})

/** Starts a server on a new data folder and waits for its demo workspace. */
async function startWithDemo(folderName: string): Promise<ServerProcess> {
  const started = await startServerProcess(join(parentFolder, folderName), { HEADWATER_DEMO: 'on' })
  await vi.waitFor(async () => expect(await demoState(started)).toBe('loaded'), {
    timeout: 60_000,
    interval: 250,
  })
  return started
}

interface Named {
  name: string
}

async function groupNames({ url }: ServerProcess): Promise<string[]> {
  const page = await administratorOf(url).get('/file/group?query=tags=demo&sortBy=name&sortOrder=asc')
  return (page.items as Named[]).map(({ name }) => name)
}

async function demoState({ url }: ServerProcess): Promise<unknown> {
  return (await administratorOf(url).get('/demo')).state
}

test('the first start loads groups, series and an insight with data in every tile', async () => {
  expect(await groupNames(server)).toEqual([
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
  const requested = Object.values(content.datapreps).flatMap((prep) => prep.symbols)
  expect(requested.length).toBeGreaterThan(10)
  for (const { groupName, symbols, valueColumnNames } of requested) {
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

test('the first start creates data preps whose symbols all exist', async () => {
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

test('a removed demo workspace and its series do not reappear at the next start', async () => {
  const first = await startWithDemo('removed')
  const api = administratorOf(first.url)
  expect(await groupNames(first)).not.toEqual([])
  const response = await api.request('/demo', { method: 'DELETE' })
  expect(response.status).toBe(200)
  expect(await groupNames(first)).toEqual([])
  expect((await api.get('/ts/symbol/search?query=*')).totalSize).toBe(0)
  expect(await first.stop()).toBe(0)

  const second = await startServerProcess(join(parentFolder, 'removed'), { HEADWATER_DEMO: 'on' })
  try {
    expect(await demoState(second)).toBe('removed')
    expect(await groupNames(second)).toEqual([])
  } finally {
    await second.stop()
  }
})
