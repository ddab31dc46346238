import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createGroup, deleteGroup } from '@headwater/groups/contract'
import {
  type CallError,
  startTestServer,
  uploadSeries,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import { listSymbolKeys, listSymbolsInFile, removeSymbols, searchSymbols } from '../contract/index.ts'

let server: TestServer
let anna: Session
let groupName: string
let groupCount = 0

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
})
afterAll(() => server.stop())
beforeEach(async () => {
  groupName = `Prices ${++groupCount}`
  await anna.call(createGroup, { body: { name: groupName } })
})

function upload(content: string): Promise<string> {
  return uploadSeries(anna, { groupName, content })
}

async function codes(): Promise<string[]> {
  const query = { query: `groupName.keyword=${groupName}` }
  const page = await anna.call(searchSymbols, { query })
  return page.items.map(({ symbols }) => Object.values(symbols).join('/'))
}

async function points(): Promise<string[]> {
  const response = await anna.fetch('/ts', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ groupName, corrections: 'true' }),
  })
  return (await response.text()).split('\n').slice(1, -1)
}

function remove(symbols: Record<string, string>[], checkTimeSeries = false, session = anna) {
  return session.call(removeSymbols, { body: { groupName, symbols, checkTimeSeries } })
}

async function refusal(work: Promise<unknown>) {
  const error = (await work.then(
    () => expect.unreachable(),
    (problem: unknown) => problem,
  )) as CallError
  return { status: error.status, ...error.body }
}

const prices = 'Code,Date,Close\nBRENT,2024-01-02,75.89\nBRENT,2024-01-03,78.25\nWTI,2024-01-02,70.38\n'

test('a symbol whose key is called __proto__ is removed like any other', async () => {
  await upload('__proto__,Code,Date,Close\nx,A,2024-01-02,1\n,B,2024-01-02,2\n')
  expect(
    await remove([
      Object.fromEntries([
        ['__proto__', 'x'],
        ['Code', 'A'],
      ]),
    ]),
  ).toEqual({ removed: 1 })
  expect(await codes()).toEqual(['B'])
})

test('a symbol without keys and values is reported on that entry', async () => {
  const { status, validationErrors } = await refusal(remove([{ Code: 'A' }, {}]))
  expect([status, validationErrors]).toEqual([
    400,
    [{ field: 'symbols[1]', message: expect.stringContaining('keys and values') }],
  ])
})

test('symbols of a group are removed with their points and from the lists of their files; other symbols remain', async () => {
  const fid = await upload(prices)
  await upload('Code,Venue,Date,Open\nBRENT,ICE,2024-01-02,1\n')
  expect(await remove([{ Code: 'BRENT', Venue: 'ICE' }, { Code: 'BRENT' }, { Code: 'BRENT' }])).toEqual({
    removed: 2,
  })
  expect(await codes()).toEqual(['WTI'])
  expect(await points()).toEqual(['WTI,2024-01-02T00:00:00,70.38'])
  const listed = await anna.call(listSymbolsInFile, { params: { fid }, query: {} })
  expect([listed.totalSize, listed.items.map(({ symbols }) => symbols)]).toEqual([1, [{ Code: 'WTI' }]])
  const keys = await anna.call(listSymbolKeys, { body: { groupName } })
  expect(keys.items.map(({ name }) => name)).toEqual(['Code'])
})

test('a symbol that is uploaded again after its removal starts empty', async () => {
  await upload(prices)
  await remove([{ Code: 'BRENT' }])
  await upload('Code,Date,Close\nBRENT,2024-01-04,79\n')
  await upload('Code,Date,Close\nBRENT,2024-01-05,80\n')
  expect(await codes()).toEqual(['WTI', 'BRENT'])
  expect(await points()).toEqual([
    'WTI,2024-01-02T00:00:00,70.38',
    'BRENT,2024-01-04T00:00:00,79',
    'BRENT,2024-01-05T00:00:00,80',
  ])
})

test('DP-302 DP-303 with the check for time series, symbols that have any are rejected and nothing is removed; without the check they are removed', async () => {
  await upload(prices)
  await upload('Code,Unit(MD-S)\nEMPTY,USD\n')
  expect(await refusal(remove([{ Code: 'EMPTY' }, { Code: 'BRENT' }, { Code: 'WTI' }], true))).toMatchObject({
    status: 409,
    code: 'symbolsHavePoints',
    message: expect.stringContaining('2 symbols (the first is Code=BRENT) have time series'),
    validationErrors: [
      { field: 'symbols[1]', message: 'Code=BRENT has time series.' },
      { field: 'symbols[2]', message: 'Code=WTI has time series.' },
    ],
  })
  expect(await codes()).toEqual(['BRENT', 'WTI', 'EMPTY'])
  expect(await remove([{ Code: 'EMPTY' }], true)).toEqual({ removed: 1 })
  expect(await codes()).toEqual(['BRENT', 'WTI'])
  expect(await remove([{ Code: 'WTI' }], false)).toEqual({ removed: 1 })
  expect(await codes()).toEqual(['BRENT'])
})

test('reports a missing symbol by name, and removes nothing', async () => {
  await upload(prices)
  expect(await refusal(remove([{ Code: 'BRENT' }, { Code: 'brent' }]))).toMatchObject({
    status: 404,
    code: 'symbolsNotFound',
    message: `The group “${groupName}” has no symbol Code=brent. Nothing was removed.`,
    validationErrors: [{ field: 'symbols[1]', message: 'Code=brent does not exist.' }],
  })
  expect(await refusal(remove([]))).toMatchObject({ status: 400, code: 'invalidInput' })
  expect(await codes()).toEqual(['BRENT', 'WTI'])
})

test('keeps symbols of a group without write access', async () => {
  await upload(prices)
  const ben = await server.createUser({ email: `ben${groupCount}@example.com` })
  expect(await refusal(remove([{ Code: 'WTI' }], false, ben))).toMatchObject({
    status: 404,
    code: 'groupNotFound',
  })
  await server.grantGroup({ groupName, userName: ben.userName, access: 'R' })
  expect(await refusal(remove([{ Code: 'WTI' }], false, ben))).toMatchObject({
    status: 403,
    code: 'groupForbidden',
  })
  expect(await codes()).toEqual(['BRENT', 'WTI'])
  await anna.call(deleteGroup, { params: { name: groupName } })
  expect(await refusal(remove([{ Code: 'WTI' }]))).toMatchObject({ status: 404, code: 'groupNotFound' })
})
