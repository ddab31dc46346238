import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, upload, type Session, type TestServer } from '@headwater/server/testing'
import { emptyContent } from '@headwater/tile-data/contract'
import { createInsight, getInsight, infoValue, patchInsight } from '../contract/index.ts'

let server: TestServer
let owner: Session
let groupId: number

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser()
  groupId = (await owner.call(createGroup, { body: { name: 'Energy' } })).groupId
})
afterAll(() => server.stop())

const png = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
  Buffer.from('IHDR'),
  Buffer.alloc(20),
])

/** Makes a change while another user saves a new version of the insight. */
async function duringSave(insightName: string, change: () => Promise<unknown>) {
  const params = { groupName: 'Energy', insightName }
  await owner.call(createInsight, { body: { ...params, content: emptyContent() } })
  const { pool } = server.running.platform.database
  const client = await pool.connect()
  let changed: Promise<unknown> = Promise.resolve()
  try {
    await client.query('begin')
    const key = `insight ${groupId} ${insightName}`
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key])
    let isDone = false
    changed = change().finally(() => (isDone = true))
    changed.catch(() => undefined)
    await expect
      .poll(async () => {
        // Uses a separate connection, because within its transaction the client would always see the connections of the
        // first call.
        const { rows } = await pool.query<{ waiting: number }>(
          `select count(*)::int as waiting from pg_locks where locktype = 'advisory' and not granted
            and pid in (select pid from pg_stat_activity where datname = current_database())`,
        )
        return isDone || rows[0]!.waiting === 1
      })
      .toBe(true)
    await upload(owner, {
      groupName: 'Energy',
      fileName: `${insightName}.json`,
      fileType: 'INSIGHT',
      content: JSON.stringify(emptyContent()),
    })
  } finally {
    await client.query('commit')
    client.release()
  }
  await changed
  const insight = await owner.call(getInsight, { params })
  expect(insight.version).toBe(2)
  return insight
}

test('details changed during a concurrent save apply to the saved version', async () => {
  const insight = await duringSave('Info', () =>
    owner.call(patchInsight, {
      body: {
        groupName: 'Energy',
        insightName: 'Info',
        fields: [{ name: 'description', value: 'changed' }],
      },
    }),
  )
  expect(insight.description).toBe('changed')
})

test('a logo uploaded during a concurrent save applies to the saved version', async () => {
  const insight = await duringSave('Logo', async () => {
    const response = await owner.fetch('/insights/Energy/Logo/logo', {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: png,
    })
    expect(response.status).toBe(200)
  })
  expect(infoValue(insight.fields, 'logo')).toMatch(/./)
})
