import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup, deleteGroup } from '@headwater/groups/contract'
import { startTestServer, uploadSeries, type Session, type TestServer } from '@headwater/server/testing'
import { removeSymbols } from '../contract/index.ts'

// The clock stands still, so that nothing is right only because what is remembered grew old.
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

/** Status and text of an answer about the newest points of one symbol. */
async function ask(session: Session, groupName: string, code: string, more = {}) {
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

test('a repeated query sees every change of its symbol at once', async () => {
  await anna.call(createGroup, { body: { name: 'Desk' } })
  await upload('Desk', 'Code,Date,Close\nA,2024-05-01,10\n')
  const header = 'Code,Date(UTC),Close'
  expect(await ask(anna, 'Desk', 'A')).toEqual([header, 'A,2024-05-01,10'])
  expect(await ask(anna, 'Desk', 'A')).toEqual([header, 'A,2024-05-01,10'])
  expect(await ask(anna, 'Desk', 'B')).toEqual(['Date(UTC)'])

  await upload('Desk', 'Code,Date,Close,High,Unit(MD-S)\nA,2024-05-02,11,12,USD\nB,2024-05-02,1,2,EUR\n')
  expect(await ask(anna, 'Desk', 'A')).toEqual([
    'Code,Date(UTC),Close,High',
    'A,2024-05-01,10,',
    'A,2024-05-02,11,12',
  ])
  expect(await ask(anna, 'Desk', 'B', { metadata: true })).toEqual([
    'Code,Date(UTC),Close,High,Unit(MD-S)',
    'B,2024-05-02,1,2,EUR',
  ])

  await anna.call(removeSymbols, {
    body: { groupName: 'Desk', symbols: [{ Code: 'A' }], checkTimeSeries: false },
  })
  expect(await ask(anna, 'Desk', 'A')).toEqual(['Date(UTC)'])
  await upload('Desk', 'Code,Date,Close\nA,2024-05-03,99\n')
  expect(await ask(anna, 'Desk', 'A')).toEqual([header, 'A,2024-05-03,99'])
})

test('cached data of a symbol outlives uploads of other symbols, and no upload that changes it', async () => {
  await anna.call(createGroup, { body: { name: 'Beside' } })
  await upload('Beside', 'Code,Date,Close,Unit(MD-S)\nA,2024-05-01,10,USD\n')
  const known = ['Code,Date(UTC),Close,Unit(MD-S)', 'A,2024-05-01,10,USD']
  const askWhole = (code: string) => ask(anna, 'Beside', code, { metadata: true })
  expect(await askWhole('A')).toEqual(known)

  await upload('Beside', 'Code,Date,High,Desk(MD-S)\nB,2024-05-01,2,Oil\n')
  expect(await askWhole('A')).toEqual(known)
  expect(await askWhole('B')).toEqual(['Code,Date(UTC),High,Desk(MD-S)', 'B,2024-05-01,2,Oil'])

  await upload('Beside', 'Code,Date,Close,Unit(MD-S)\nA,2024-05-02,11,EUR\nB,2024-05-02,3,EUR\n')
  expect(await askWhole('A')).toEqual([
    'Code,Date(UTC),Close,Unit(MD-S)',
    'A,2024-05-01,10,EUR',
    'A,2024-05-02,11,EUR',
  ])
  expect(await askWhole('B')).toEqual([
    'Code,Date(UTC),Close,High,Desk(MD-S),Unit(MD-S)',
    'B,2024-05-01,,2,Oil,EUR',
    'B,2024-05-02,3,,Oil,EUR',
  ])
})

test('a file that was refused changes nothing of what is known of its symbols', async () => {
  await anna.call(createGroup, { body: { name: 'Refused' } })
  await upload('Refused', 'Code,Date,Close\nA,2024-05-01,10\n')
  await expect(
    upload('Refused', 'Code,Date,Close\nA,2024-05-02,11\nN,2024-05-02,1\nA,today,12\n'),
  ).rejects.toThrow()
  expect(await ask(anna, 'Refused', 'A')).toEqual(['Code,Date(UTC),Close', 'A,2024-05-01,10'])
  expect(await ask(anna, 'Refused', 'N')).toEqual(['Date(UTC)'])
})

test('whoever loses the right to a group gets no answer from then on, however often it was asked before', async () => {
  await anna.call(createGroup, { body: { name: 'Shared' } })
  await upload('Shared', 'Code,Date,Close\nA,2024-05-01,10\n')
  const grant = (text: string) => server.running.platform.database.pool.query(text, [ben.userName])
  expect(await ask(ben, 'Shared', 'A')).toBe(404)
  await grant(`insert into group_grants (group_id, user_id, access)
    select g.id, u.id, 'R' from groups g, users u where g.name = 'Shared' and u.user_name = $1`)
  for (let round = 0; round < 2; round++)
    expect(await ask(ben, 'Shared', 'A')).toEqual(['Code,Date(UTC),Close', 'A,2024-05-01,10'])
  await grant('delete from group_grants where user_id = (select id from users where user_name = $1)')
  expect(await ask(ben, 'Shared', 'A')).toBe(404)
})

test('a group that was deleted answers nobody, and one made anew under its name has none of its points', async () => {
  await anna.call(createGroup, { body: { name: 'Passing' } })
  await upload('Passing', 'Code,Date,Close\nA,2024-05-01,10\n')
  for (let round = 0; round < 2; round++)
    expect(await ask(anna, 'Passing', 'A')).toEqual(['Code,Date(UTC),Close', 'A,2024-05-01,10'])
  await anna.call(deleteGroup, { params: { name: 'Passing' } })
  expect(await ask(anna, 'Passing', 'A')).toBe(404)
  await anna.call(createGroup, { body: { name: 'Passing' } })
  expect(await ask(anna, 'Passing', 'A')).toEqual(['Date(UTC)'])
})

test('many who ask at once for different symbols each get their own, and one that is not there is nobody else’s', async () => {
  await anna.call(createGroup, { body: { name: 'Crowd' } })
  const codes = Array.from({ length: 60 }, (_, index) => `C${String(index).padStart(2, '0')}`)
  const rows = codes.map((code, index) => `${code},2024-05-01,${index}\n`)
  await upload('Crowd', `Code,Date,Close\n${rows.join('')}`)
  const asked = [...codes, 'missing', ...codes.slice(0, 5)]
  const answers = await Promise.all(asked.map((code) => ask(anna, 'Crowd', code)))
  expect(answers).toEqual(
    asked.map((code) =>
      code === 'missing'
        ? ['Date(UTC)']
        : ['Code,Date(UTC),Close', `${code},2024-05-01,${codes.indexOf(code)}`],
    ),
  )
})

/** Bytes of memory that are in use once what nobody needs was collected. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed
}

test('symbols with very much metadata that were asked for do not fill the memory', async () => {
  await anna.call(createGroup, { body: { name: 'Wordy' } })
  const [files, perFile, columns, letters] = [3, 100, 100, 2000]
  const metadata = Array.from({ length: columns }, (_, at) => `m${at}(MD-S)`)
  for (let file = 0; file < files; file++) {
    const rows = Array.from({ length: perFile }, (_, at) => {
      const values = metadata.map((name) => `${file} ${at} ${name} `.padEnd(letters, 'x'))
      return [`S${file}-${at}`, '2024-05-01', '1', ...values].join(',')
    })
    await upload('Wordy', [['Code', 'Date', 'Close', ...metadata].join(','), ...rows, ''].join('\n'))
  }
  const before = heapBytes()
  for (let file = 0; file < files; file++) {
    const keys = Array.from({ length: perFile }, (_, at) => ({
      groupName: 'Wordy',
      symbols: { Code: `S${file}-${at}` },
    }))
    expect(await ask(anna, 'Wordy', '', { keys })).toHaveLength(perFile + 1)
  }
  // of the 60 MB of their metadata
  expect(heapBytes() - before).toBeLessThan(30_000_000)
})
