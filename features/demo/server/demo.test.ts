import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { searchFiles } from '@headwater/files/contract'
import { createGroup, getGroup, listGroups } from '@headwater/groups/contract'
import { emptyContent } from '@headwater/tile-data/contract'
import { createInsight, searchInsights } from '@headwater/insights/contract'
import {
  createPipeline,
  executePipeline,
  getPipelineByName,
  searchPipelines,
} from '@headwater/pipelines/contract'
import { searchDataPreps } from '@headwater/preps/contract'
import { startTestServer, type TestServer, upload } from '@headwater/server/testing'
import { searchStatuses } from '@headwater/statuses/contract'
import { searchSymbols } from '@headwater/symbols/contract'
import { getDemo, getDemoRemoval, removeDemo } from '../contract/index.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('groups with the names of demo groups are preserved if the demo was never loaded or was removed', async () => {
  const analyst = await server.createUser()
  const name = 'Demo'
  await analyst.call(createGroup, { body: { name } })
  for (const before of ['absent', 'removed']) {
    expect((await server.admin.call(getDemo, {})).state).toBe(before)
    expect((await server.admin.call(removeDemo, {})).state).toBe('removed')
    expect((await analyst.call(getGroup, { params: { name } })).name).toBe(name)
  }
})

test('users can list the demo groups they can read, even after the session that loaded the demo has ended', async () => {
  const withDemo = await startTestServer({ env: { HEADWATER_DEMO: 'on' } })
  try {
    const demoState = async () => (await withDemo.admin.call(getDemo, {})).state
    await expect.poll(demoState, { interval: 100 }).toBe('loaded')
    const names = ['Demo', 'Iowa electricity', 'Seattle weather', 'Stock prices', 'Mauna Loa CO2']
    const insights = ['Electricity, weather, markets and air', 'One stock at a time'].map((insightName) => ({
      groupName: 'Demo',
      insightName,
    }))
    expect(await withDemo.admin.call(getDemo, {})).toEqual({ state: 'loaded', insights, groups: names })
    const stranger = await withDemo.createUser()
    expect(await stranger.call(getDemo, {})).toEqual({ state: 'loaded', insights: [], groups: [] })
    const { rows } = await withDemo.running.platform.database.pool.query(
      'select count(*)::int as open from sessions where ended_at is null',
    )
    // The remaining sessions are those of the two callers of this test.
    expect(rows).toEqual([{ open: 2 }])
  } finally {
    await withDemo.stop()
  }
})

test('content that users saved in demo groups is preserved, and the preview of the removal reports it', async () => {
  const withDemo = await startTestServer({ env: { HEADWATER_DEMO: 'on' } })
  try {
    const { admin } = withDemo
    const demoState = async () => (await admin.call(getDemo, {})).state
    await expect.poll(demoState, { interval: 100 }).toBe('loaded')
    const content = { ...emptyContent() } as never
    await admin.call(createInsight, { body: { insightName: 'Mine', groupName: 'Demo', content } })
    await admin.call(createPipeline, { body: { name: 'Own', groupName: 'Stock prices' } })
    const own = 'Ticker,Date,Close\nAAPL,2026-01-02,250\n'
    await upload(admin, { groupName: 'Stock prices', fileName: 'mine.csv', fileType: 'NCSV', content: own })
    const nothing = { files: 0, insights: 0, dataPreps: 0, pipelines: 0 }
    expect((await admin.call(getDemoRemoval, {})).groups).toEqual([
      { name: 'Demo', ...nothing, insights: 1 },
      { name: 'Iowa electricity', ...nothing },
      { name: 'Seattle weather', ...nothing },
      { name: 'Stock prices', ...nothing, files: 1, pipelines: 1 },
      { name: 'Mauna Loa CO2', ...nothing },
    ])

    await runPipeline(withDemo)
    const products = await admin.call(searchFiles, { query: { query: 'groupName=Demo&fileType=SOURCE' } })
    expect(products.items.map(({ fileName }) => fileName)).toContain('stock-report.html')
    expect((await admin.call(getDemoRemoval, {})).groups[0]).toEqual({
      name: 'Demo',
      ...nothing,
      insights: 1,
    })

    expect((await admin.call(removeDemo, {})).state).toBe('removed')
    const pipelines = await admin.call(searchPipelines, { query: {} })
    expect(pipelines.items.map(({ name }) => name)).toEqual(['Own'])
    const { items } = await admin.call(listGroups, { query: { sortBy: 'name', sortOrder: 'asc' } })
    const names = items.map(({ name }) => name).filter((name) => !name.endsWith('_home'))
    expect(names).toEqual(['Demo', 'Stock prices'])
    const insights = await admin.call(searchInsights, { query: {} })
    expect(insights.items.map(({ insightName }) => insightName)).toEqual(['Mine'])
    const files = await admin.call(searchFiles, { query: {} })
    expect(files.items.map(({ fileName }) => fileName).toSorted()).toEqual(['Mine.json', 'mine.csv'])
    expect((await admin.call(searchDataPreps, { query: {} })).items).toEqual([])
    const symbols = async () => (await admin.call(searchSymbols, { query: {} })).items
    await expect.poll(symbols).toMatchObject([{ symbols: { Ticker: 'AAPL' } }])
    expect((await admin.call(getDemoRemoval, {})).groups).toEqual([])
  } finally {
    await withDemo.stop()
  }
})

/** Runs the demo pipeline without a mail server: only its last task warns, because the e-mail is in the mail log. */
async function runPipeline({ admin, dataFolder }: TestServer): Promise<void> {
  const query = { groupName: 'Demo', name: 'Check and mail stock prices' }
  const { pipeline } = await admin.call(getPipelineByName, { query })
  expect(pipeline.schedules).toEqual([])
  const { jobId, status } = await admin.call(executePipeline, {
    params: { pipelineId: pipeline.id },
    body: { waitSeconds: 60 },
  })
  const [job] = (await admin.call(searchStatuses, { query: { jobId } })).items
  expect(job!.componentStatuses.map((step) => [step.component, step.status, step.message])).toEqual([
    ['Fetch prices', 'INFO', expect.stringMatching(/^Stored microsoft\.csv .* in Demo\.$/)],
    ['Check prices', 'INFO', 'All checks passed for 123 rows.'],
    ['Store as series', 'INFO', expect.stringMatching(/^Stored microsoft-checked\.csv/)],
    ['Read the insight', 'INFO', expect.stringMatching(/tiles were read\.$/)],
    ['Create report', 'INFO', 'The file stock-report.html has been written to Demo.'],
    ['Mail report', 'WARN', expect.stringMatching(/^No mail server is configured/)],
  ])
  expect(status).toBe('WARN')
  const mails = await readFile(join(dataFolder, 'logs', 'mails.log'), 'utf8')
  expect(mails).toContain('Stock prices')
}

test('only an administrator can remove the demo', async () => {
  const analyst = await server.createUser()
  await expect(analyst.call(getDemoRemoval, {})).rejects.toMatchObject({ status: 403 })
  await expect(analyst.call(removeDemo, {})).rejects.toMatchObject({ status: 403 })
})
