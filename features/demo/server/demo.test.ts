import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup, getGroup } from '@headwater/groups/contract'
import { startTestServer, type TestServer } from '@headwater/server/testing'
import { getDemo, removeDemo } from '../contract/index.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('groups that users named like those of the demo stay where it was never loaded, or was removed', async () => {
  const analyst = await server.createUser()
  const { groups } = await analyst.call(getDemo, {})
  const name = groups[0]!
  await analyst.call(createGroup, { body: { name } })
  for (const before of ['absent', 'removed']) {
    expect((await server.admin.call(getDemo, {})).state).toBe(before)
    expect((await server.admin.call(removeDemo, {})).state).toBe('removed')
    expect((await analyst.call(getGroup, { params: { name } })).name).toBe(name)
  }
})

test('the session that the demo is loaded with is ended', async () => {
  const withDemo = await startTestServer({ env: { HEADWATER_DEMO: 'on' } })
  try {
    const demoState = async () => (await withDemo.admin.call(getDemo, {})).state
    await expect.poll(demoState, { timeout: 60_000, interval: 100 }).toBe('loaded')
    const { rows } = await withDemo.running.platform.database.pool.query(
      'select count(*)::int as open from sessions where ended_at is null',
    )
    // What is left is the one of the administrator who asks here.
    expect(rows).toEqual([{ open: 1 }])
  } finally {
    await withDemo.stop()
  }
}, 90_000)

test('only an administrator removes the demo', async () => {
  const analyst = await server.createUser()
  await expect(analyst.call(removeDemo, {})).rejects.toMatchObject({ status: 403 })
})
