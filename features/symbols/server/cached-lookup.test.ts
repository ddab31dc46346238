import { afterAll, beforeAll, expect, test } from 'vitest'
import { collectedMemory } from '@headwater/server-kit/testing'
import { createGroup, deleteGroup } from '@headwater/groups/contract'
import { startTestServer, uploadSeries, type Session, type TestServer } from '@headwater/server/testing'
import { removeSymbols } from '../contract/index.ts'

// The clock stands still, so that no result is correct only because a cache entry expired.
let server: TestServer
let anna: Session
let ben: Session

beforeAll(async () => {
  server = await startTestServer({ clock: { now: () => new Date('2024-05-08T12:00:00Z') } })
  anna = await server.createUser({ email: 'anna@example.com' })
  ben = await server.createUser({ email: 'ben@example.com' })
})
afterAll(() => server.stop())

function upload(groupName: string, content: string): Promise<string> {
  return uploadSeries(anna, { groupName, content })
}

/** Returns the rows with the newest points of one symbol, or the status of an error. */
async function runQuery(session: Session, groupName: string, code: string, more = {}) {
  const response = await session.fetch('/ts', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      keys: [{ groupName, symbols: { Code: code } }],
      range: 'LAST',
      lastTypeAmount: 5,
      ...more,
    }),
  })
  const text = await response.text()
  return response.status === 200 ? text.replaceAll('T00:00:00', '').split('\n').slice(0, -1) : response.status
}

test('a repeated query immediately sees every change of its symbol', async () => {
  await anna.call(createGroup, { body: { name: 'Desk' } })
  await upload('Desk', 'Code,Date,Close\nA,2024-05-01,10\n')
  const header = 'Code,Date(UTC),Close'
  expect(await runQuery(anna, 'Desk', 'A')).toEqual([header, 'A,2024-05-01,10'])
  expect(await runQuery(anna, 'Desk', 'A')).toEqual([header, 'A,2024-05-01,10'])
  expect(await runQuery(anna, 'Desk', 'B')).toEqual(['Date(UTC)'])

  await upload('Desk', 'Code,Date,Close,High,Unit(MD-S)\nA,2024-05-02,11,12,USD\nB,2024-05-02,1,2,EUR\n')
  expect(await runQuery(anna, 'Desk', 'A')).toEqual([
    'Code,Date(UTC),Close,High',
    'A,2024-05-01,10,',
    'A,2024-05-02,11,12',
  ])
  expect(await runQuery(anna, 'Desk', 'B', { metadata: true })).toEqual([
    'Code,Date(UTC),Close,High,Unit(MD-S)',
    'B,2024-05-02,1,2,EUR',
  ])

  await anna.call(removeSymbols, {
    body: { groupName: 'Desk', symbols: [{ Code: 'A' }], checkTimeSeries: false },
  })
  expect(await runQuery(anna, 'Desk', 'A')).toEqual(['Date(UTC)'])
  await upload('Desk', 'Code,Date,Close\nA,2024-05-03,99\n')
  expect(await runQuery(anna, 'Desk', 'A')).toEqual([header, 'A,2024-05-03,99'])
})

test('cached data of a symbol survives uploads of other symbols, but not uploads that change it', async () => {
  await anna.call(createGroup, { body: { name: 'Beside' } })
  await upload('Beside', 'Code,Date,Close,Unit(MD-S)\nA,2024-05-01,10,USD\n')
  const known = ['Code,Date(UTC),Close,Unit(MD-S)', 'A,2024-05-01,10,USD']
  const runWholeGroup = (code: string) => runQuery(anna, 'Beside', code, { metadata: true })
  expect(await runWholeGroup('A')).toEqual(known)

  await upload('Beside', 'Code,Date,High,Desk(MD-S)\nB,2024-05-01,2,Oil\n')
  expect(await runWholeGroup('A')).toEqual(known)
  expect(await runWholeGroup('B')).toEqual(['Code,Date(UTC),High,Desk(MD-S)', 'B,2024-05-01,2,Oil'])

  await upload('Beside', 'Code,Date,Close,Unit(MD-S)\nA,2024-05-02,11,EUR\nB,2024-05-02,3,EUR\n')
  expect(await runWholeGroup('A')).toEqual([
    'Code,Date(UTC),Close,Unit(MD-S)',
    'A,2024-05-01,10,EUR',
    'A,2024-05-02,11,EUR',
  ])
  expect(await runWholeGroup('B')).toEqual([
    'Code,Date(UTC),Close,High,Desk(MD-S),Unit(MD-S)',
    'B,2024-05-01,,2,Oil,EUR',
    'B,2024-05-02,3,,Oil,EUR',
  ])
})

test('a rejected file does not change cached symbols', async () => {
  await anna.call(createGroup, { body: { name: 'Refused' } })
  await upload('Refused', 'Code,Date,Close\nA,2024-05-01,10\n')
  await expect(
    upload('Refused', 'Code,Date,Close\nA,2024-05-02,11\nN,2024-05-02,1\nA,today,12\n'),
  ).rejects.toThrow()
  expect(await runQuery(anna, 'Refused', 'A')).toEqual(['Code,Date(UTC),Close', 'A,2024-05-01,10'])
  expect(await runQuery(anna, 'Refused', 'N')).toEqual(['Date(UTC)'])
})

test('a user who loses access to a group gets no cached results', async () => {
  await anna.call(createGroup, { body: { name: 'Shared' } })
  await upload('Shared', 'Code,Date,Close\nA,2024-05-01,10\n')
  const grant = (text: string) => server.running.platform.database.pool.query(text, [ben.userName])
  expect(await runQuery(ben, 'Shared', 'A')).toBe(404)
  await grant(`insert into group_grants (group_id, user_id, access)
    select g.id, u.id, 'R' from groups g, users u where g.name = 'Shared' and u.user_name = $1`)
  for (let round = 0; round < 2; round++)
    expect(await runQuery(ben, 'Shared', 'A')).toEqual(['Code,Date(UTC),Close', 'A,2024-05-01,10'])
  await grant('delete from group_grants where user_id = (select id from users where user_name = $1)')
  expect(await runQuery(ben, 'Shared', 'A')).toBe(404)
})

test('a deleted group returns no results, and a new group with the same name has none of its points', async () => {
  await anna.call(createGroup, { body: { name: 'Passing' } })
  await upload('Passing', 'Code,Date,Close\nA,2024-05-01,10\n')
  for (let round = 0; round < 2; round++)
    expect(await runQuery(anna, 'Passing', 'A')).toEqual(['Code,Date(UTC),Close', 'A,2024-05-01,10'])
  await anna.call(deleteGroup, { params: { name: 'Passing' } })
  expect(await runQuery(anna, 'Passing', 'A')).toBe(404)
  await anna.call(createGroup, { body: { name: 'Passing' } })
  expect(await runQuery(anna, 'Passing', 'A')).toEqual(['Date(UTC)'])
})

test('concurrent queries for different symbols each get their own result, also for a missing symbol', async () => {
  await anna.call(createGroup, { body: { name: 'Crowd' } })
  const codes = Array.from({ length: 60 }, (_, index) => `C${String(index).padStart(2, '0')}`)
  const rows = codes.map((code, index) => `${code},2024-05-01,${index}\n`)
  await upload('Crowd', `Code,Date,Close\n${rows.join('')}`)
  const requested = [...codes, 'missing', ...codes.slice(0, 5)]
  const results = await Promise.all(requested.map((code) => runQuery(anna, 'Crowd', code)))
  expect(results).toEqual(
    requested.map((code) =>
      code === 'missing'
        ? ['Date(UTC)']
        : ['Code,Date(UTC),Close', `${code},2024-05-01,${codes.indexOf(code)}`],
    ),
  )
})

test('requested symbols with large metadata do not fill the memory', async () => {
  await anna.call(createGroup, { body: { name: 'Wordy' } })
  const [files, perFile, columns, length] = [3, 100, 100, 2000]
  const metadata = Array.from({ length: columns }, (_, at) => `m${at}(MD-S)`)
  for (let file = 0; file < files; file++) {
    const rows = Array.from({ length: perFile }, (_, at) => {
      const values = metadata.map((name) => `${file} ${at} ${name} `.padEnd(length, 'x'))
      return [`S${file}-${at}`, '2024-05-01', '1', ...values].join(',')
    })
    await upload('Wordy', [['Code', 'Date', 'Close', ...metadata].join(','), ...rows, ''].join('\n'))
  }
  const before = collectedMemory()
  for (let file = 0; file < files; file++) {
    const keys = Array.from({ length: perFile }, (_, at) => ({
      groupName: 'Wordy',
      symbols: { Code: `S${file}-${at}` },
    }))
    expect(await runQuery(anna, 'Wordy', '', { keys })).toHaveLength(perFile + 1)
  }
  // of the 60 MB of their metadata
  expect(collectedMemory() - before).toBeLessThan(30_000_000)
})
