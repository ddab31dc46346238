import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@headwater/server-kit/testing'
import { administratorOf, startServerProcess, type ServerProcess } from './server-process.ts'

const group = 'Killed runs'
const isLong = inject('campaign') === 'long'
const symbolCount = isLong ? 20 : 10
const rowsPerSymbol = 20_000

let dataFolder: string
/** Database of the test run: killing the server would leave its own PostgreSQL running. */
let database: TestDatabase
let server: ServerProcess

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'headwater-prep-kill-'))
  database = await createTestDatabase()
  server = await start()
  const api = administratorOf(server.url)
  await api.post('/file/group', { name: group })
  const { receipt } = await api.upload({
    groupName: group,
    fileName: 'series.csv',
    fileType: 'NCSV',
    content: series(),
  })
  expect(receipt.status).toBe('READY')
})

afterAll(async () => {
  await server.stop()
  await database.drop()
  await rm(dataFolder, { recursive: true, force: true })
})

const start = () => startServerProcess(dataFolder, { DATABASE_URL: database.connectionString })

function series(): string {
  const start = Date.UTC(2000, 0, 1)
  const rows = ['Symbol,Date,Price']
  for (let symbol = 0; symbol < symbolCount; symbol++)
    for (let row = 0; row < rowsPerSymbol; row++)
      rows.push(`S${symbol},${new Date(start + row * 3_600_000).toISOString().slice(0, 19)},${symbol + row}`)
  return rows.join('\n')
}

interface JobItem {
  status: string
  endTime?: string
}

const kills = [
  ['server', 'while it reads'],
  ['series engine', 'while it reads'],
  ['server', 'when its file exists'],
]

test.each(isLong ? kills : kills.slice(0, 1))(
  'a data prep run whose %s is killed %s ends with one complete file',
  async (victim, instant) => {
    const name = `${victim} ${instant}`
    const api = () => administratorOf(server.url)
    const job = async () => {
      const { items } = await api().get(`/status?jobId=${jobId}`)
      return (items as JobItem[])[0]
    }
    const filesThere = async () => {
      const query = encodeURIComponent(`name=${name}.csv&groupName=${group}`)
      return (await api().get(`/file/search?query=${query}`)).items as { fid: string; version: number }[]
    }
    const { id } = await api().post('/dataprep', {
      dataPrep: {
        name,
        outputGroup: group,
        range: 'ALL',
        symbols: [{ groupName: group, valueColumnNames: ['Price'] }],
      },
    })
    const { jobId } = (await api().post(`/dataprep/${String(id)}/execute`, {})) as { jobId: string }
    if (instant === 'while it reads')
      // On a busy machine, the run can end between two polls. The assertions below also apply to a kill just after its end.
      await expect.poll(async () => (await job())?.status, { interval: 5 }).toMatch(/RUNNING|INFO/)
    else await expect.poll(async () => (await filesThere()).length, { interval: 5 }).toBe(1)
    if (victim === 'server') {
      server.kill(server.pid)
      await server.gone
      server = await start()
    } else server.kill(await server.seriesPid())

    await expect.poll(async () => (await job())?.endTime).toBeDefined()
    expect(await job()).toMatchObject({ status: 'INFO' })
    const files = await filesThere()
    expect(files).toMatchObject([{ version: 1 }])
    const stored = await (await api().request(`/file/${files[0]!.fid}/download`)).text()
    const response = await api().request('/ts/stream', {
      method: 'POST',
      body: JSON.stringify({
        keys: [{ groupName: group, symbols: {}, columns: ['Price'] }],
        range: 'ALL',
        dateFormat: "yyyy-MM-dd'T'HH:mm:ss.SSS",
        decimalPrecision: 2,
      }),
      headers: { 'Content-Type': 'application/json' },
    })
    expect(stored.length).toBeGreaterThan(symbolCount * rowsPerSymbol * 10)
    expect(stored === (await response.text())).toBe(true)
    // If a run was killed between its last report and its end, the server that adopts it finishes it.
    await expect.poll(() => api().get(`/dataprep/${String(id)}`)).not.toHaveProperty('runningJobId')
  },
  120_000,
)
