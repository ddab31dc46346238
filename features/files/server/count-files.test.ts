import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { countedFiles, searchFiles } from '../contract/index.ts'

const groupName = 'Many'
const fileCount = countedFiles + 250
let server: TestServer
let anna: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: groupName } })
  await server.running.platform.database.pool.query(
    `insert into files (id, group_id, name, type, owner_id, saved_by, zipped, fields, partial_update, avoid_duplicates, skip_metadata,
       job_id, state, hash, size_bytes, version, latest, arrival, arrived_at, announced_at)
     select gen_random_uuid(), groups.id, 'file ' || number || case number when 7 then '.md' else '.csv' end, 'SOURCE', owner_id, owner_id,
       false, '{}', false, false, false, gen_random_uuid(), 'ready', encode(sha256(number::text::bytea), 'hex'), number, 1, true,
       nextval('file_arrivals'), now(), now()
     from generate_series(1, $2) number, groups where groups.name = $1`,
    [groupName, fileCount],
  )
})
afterAll(() => server.stop())

const search = async (query: object) => {
  const page = await anna.call(searchFiles, { query: { query: `groupName=${groupName}`, ...query } })
  return [page.items.length, page.totalSize, page.totalIsAtLeast]
}

test('a search counts up to 1000 matches, or one more than the end of the page, so that clients request every page', async () => {
  expect(countedFiles).toBe(1000)
  expect(await search({ size: 10 })).toEqual([10, 1001, true])
  expect(await search({ size: 100, from: 900 })).toEqual([100, 1001, true])
  expect(await search({ size: 100, from: 1000 })).toEqual([100, 1101, true])
  expect(await search({ size: 100, from: 1150 })).toEqual([100, 1250, undefined])
  expect(await search({ size: 100, from: 1200 })).toEqual([50, 1250, undefined])
  expect(await search({ size: 10, exactTotal: true })).toEqual([10, 1250, undefined])
  const received = new Set<string>()
  for (let [from, total] = [0, 1]; from < total; from += 200) {
    const page = await anna.call(searchFiles, { query: { groupName, size: 200, from } })
    for (const { fid } of page.items) received.add(fid)
    total = page.totalSize
  }
  expect(received.size).toBe(fileCount)
})

test('a search with fewer matches counts all of them', async () => {
  expect(await search({ extensions: 'md' })).toEqual([1, 1, undefined])
  expect(await search({ extensions: 'MD,csv', exactTotal: true, size: 5 })).toEqual([5, fileCount, undefined])
  expect(await search({ extensions: 'pdf' })).toEqual([0, 0, undefined])
})
