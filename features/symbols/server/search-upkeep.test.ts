import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, uploadSeries, type Session, type TestServer } from '@headwater/server/testing'

let server: TestServer
let anna: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: 'Many' } })
})
afterAll(() => server.stop())

async function query<Row>(text: string): Promise<Row> {
  const { rows } = await server.running.platform.database.pool.query(text)
  return rows[0] as Row
}

test('after an ingest of many symbols the pending list of the index is empty and the statistics are current', async () => {
  const count = 12_000
  const lines = Array.from({ length: count }, (_, index) => `${index},2024-01-02,1`)
  await uploadSeries(anna, { groupName: 'Many', content: `No,Date,Close\n${lines.join('\n')}\n` })

  const ended = `select count(*)::int as count from queue_jobs where kind = 'tidy-symbol-search' and state = 'done'`
  while ((await query<{ count: number }>(ended)).count === 0) await sleep(100)

  expect(await query(`select gin_clean_pending_list('symbols_search')::int as pages`)).toEqual({ pages: 0 })
  expect(await query(`select reltuples::int as count from pg_class where relname = 'symbols'`)).toEqual({
    count,
  })
})
