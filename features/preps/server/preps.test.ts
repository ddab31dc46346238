import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup, deleteGroup } from '@headwater/groups/contract'
import { startTestServer, uploadSeries, type Session, type TestServer } from '@headwater/server/testing'
import {
  createDataPrep,
  deleteDataPrep,
  getDataPrep,
  getDataPrepByName,
  listDataPrepVersions,
  listDataPrepVersionsByName,
  runDataPrep,
  searchDataPreps,
  updateDataPrep,
  type DataPrepInput,
} from '../contract/index.ts'

let server: TestServer
let anna: Session
let ben: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  ben = await server.createUser({ email: 'ben@example.com' })
  for (const name of ['Preps', 'Other', 'Read only', 'Hidden'])
    await anna.call(createGroup, { body: { name } })
  await grant('Preps', 'RW')
  await grant('Read only', 'R')
  await upload(
    'Preps',
    'Code,Venue,Date,Close,Open,Desk(MD-S)\nA,x,2024-01-01,1,2,oil\nB,x,2024-01-01,3,4,gas\nB,y,2024-01-01,5,6,gas\n',
  )
  await upload('Hidden', 'Code,Date,Close\nSECRET,2024-01-01,1\n')
})
afterAll(() => server.stop())

async function grant(group: string, access: string) {
  await server.grantGroup({ groupName: group, userName: 'ben@example.com', access })
}

function upload(groupName: string, content: string): Promise<string> {
  return uploadSeries(anna, { groupName, content })
}

const symbolA = { groupName: 'Preps', symbols: { Code: 'A', Venue: 'x' }, valueColumnNames: ['Close'] }

function create(session: Session, dataPrep: Partial<DataPrepInput> & { name: string }) {
  return session.call(createDataPrep, { body: { dataPrep: { outputGroup: 'Preps', ...dataPrep } } })
}

test.each<[string, Partial<DataPrepInput>]>([
  ['letter Q', { symbols: [symbolA], dateFormat: 'yyyy-Q' }],
  [
    'no holiday calendar “ATLANTIS”',
    { symbols: [symbolA], lastType: 'WORKING_DAYS', holidayCalendar: 'ATLANTIS' },
  ],
  [
    'no holiday calendar “ATLANTIS”',
    { symbols: [{ ...symbolA, offsetType: 'WORKING_DAYS', offsetAmount: 1 }], holidayCalendar: 'ATLANTIS' },
  ],
  [
    '101 different offsets',
    {
      symbols: Array.from({ length: 101 }, (_, index) => ({
        ...symbolA,
        offsetType: 'DAYS' as const,
        offsetAmount: index + 1,
      })),
    },
  ],
])('a data prep that cannot run because of %s is not saved', async (names, dataPrep) => {
  const name = `Never ${names}`
  await expect(create(anna, { name, ...dataPrep })).rejects.toMatchObject({
    status: 400,
    body: { message: expect.stringContaining(names) },
  })
  const { id, version } = await create(anna, { name, symbols: [symbolA] })
  const saved = { name, outputGroup: 'Preps', version, ...dataPrep }
  await expect(anna.call(updateDataPrep, { ...byId(id), body: { dataPrep: saved } })).rejects.toMatchObject({
    status: 400,
    body: { message: expect.stringContaining(names) },
  })
  await anna.call(deleteDataPrep, byId(id))
})

const byId = (id: string) => ({ params: { id } })

test('a new data prep has default values and can be read by id and by group and name', async () => {
  const created = await create(anna, { name: '  Brent  ', outputGroup: ' Preps ', symbols: [symbolA] })
  expect(created).toMatchObject({
    name: 'Brent',
    outputGroup: 'Preps',
    version: 1,
    range: 'LAST',
    lastTypeAmount: 500,
    outputLayout: 'ROWS',
    owner: 'anna@example.com',
    modifiedBy: 'anna@example.com',
    latest: true,
    writeAccess: true,
    symbols: [{ symbols: { Code: 'A', Venue: 'x' }, valueColumnNames: ['Close'], valueColumnName: 'Close' }],
  })
  expect(created).not.toHaveProperty('runningJobId')
  expect(await anna.call(getDataPrep, byId(created.id))).toEqual(created)
  for (const query of [
    { groupName: 'Preps', name: 'Brent' },
    { groupName: 'Preps', name: 'Brent', version: 'latest' },
    { groupName: 'Preps', name: 'Brent', version: 7, latest: true },
    { groupName: 'Preps', name: 'Brent', version: 1, withMetadata: false, resolvePattern: false },
  ])
    expect(await ben.call(getDataPrepByName, { query })).toEqual(created)
})

test('DP-317 DP-318 DP-319 DP-320 DP-321 DP-322 DP-323 DP-324 DP-325 DP-347 DP-360 IN-317 IN-318 every field of a data prep and its entries is stored', async () => {
  const entry = {
    groupName: 'Preps',
    symbols: { Code: 'B*' },
    metadata: { Desk: 'gas' },
    valueColumnNames: ['Close'],
    valueColumnName: 'Close',
    offsetType: 'MONTHS',
    offsetAmount: '2',
    fillType: 'AVERAGE',
    avgPointsAmount: '3',
    pattern: true,
    patternExactMatch: true,
    symbolValuesExactMatch: true,
    source: 'WarehouseService',
  } as const
  const stored = {
    name: 'every field',
    outputGroup: 'Preps',
    range: 'BETWEEN',
    dateFrom: '2024-01-01T00:00:00',
    dateTo: '2024-12-31T23:59:59',
    lastType: 'WORKING_DAYS',
    lastTypeAmount: 5,
    lastTypeOnTime: '16:30',
    lastTypeOnTimeTimezone: 'Europe/London',
    holidayCalendar: 'GB-ENG',
    deltaTransDateLimitType: 'WEEKS',
    deltaTransDateLimitAmount: 4,
    decimalPrecision: 6,
    skipEmptyColumns: true,
    delta: true,
    outputLayout: 'COLUMNS',
    withType: true,
    attachMetadataToNcsv: true,
    failOnMissingSymbols: true,
    ncsvEmptySymbolsInResult: true,
    dateFormat: 'dd.MM.yyyy',
    timezone: 'Europe/Berlin',
    roundingMode: 'FLOOR',
    corrections: 'history',
    order: 'desc',
    source: 'WarehouseService',
    dataGroupName: 'Other',
    symbols: [entry],
  } as const
  const send = async (method: string, path: string, dataPrep: object) => {
    const response = await anna.fetch(path, {
      method,
      body: JSON.stringify({ dataPrep }),
      headers: { 'Content-Type': 'application/json' },
    })
    return (await response.json()) as { id: string; version: number }
  }
  const untrimmed = ({ name, outputGroup }: { name: string; outputGroup: string }) => ({
    name: ` ${name} `,
    outputGroup: ` ${outputGroup} `,
  })
  const { id, version } = await send('POST', '/dataprep', { ...stored, ...untrimmed(stored) })
  expect(version).toBe(1)
  const read = async ({ name, outputGroup }: { name: string; outputGroup: string }) => {
    const query = new URLSearchParams({ groupName: outputGroup, name })
    return (await anna.fetch(`/dataprep/name?${query.toString()}`)).json()
  }
  expect(await read(stored)).toMatchObject({ ...stored, id, version: 1 })
  const changed = {
    groupName: 'Other',
    symbols: { Code: 'A*', Venue: 'x' },
    metadata: { Desk: 'oil' },
    valueColumnNames: ['Open'],
    valueColumnName: 'Open',
    offsetType: 'DAYS',
    offsetAmount: '-1',
    fillType: 'PREVIOUS',
    avgPointsAmount: null,
    pattern: false,
    patternExactMatch: false,
    symbolValuesExactMatch: false,
    source: null,
  }
  const update = {
    name: 'every field, changed',
    outputGroup: 'Other',
    range: 'LAST',
    dateFrom: '2023-01-01T00:00:00',
    dateTo: '2023-12-31T23:59:59',
    lastType: 'MONTHS',
    lastTypeAmount: 7,
    lastTypeOnTime: '09:15',
    lastTypeOnTimeTimezone: 'Europe/Warsaw',
    holidayCalendar: 'DE',
    deltaTransDateLimitType: 'DAYS',
    deltaTransDateLimitAmount: 9,
    decimalPrecision: 3,
    skipEmptyColumns: false,
    delta: false,
    outputLayout: 'ROWS',
    withType: false,
    attachMetadataToNcsv: false,
    failOnMissingSymbols: false,
    ncsvEmptySymbolsInResult: false,
    dateFormat: 'yyyy/MM/dd',
    timezone: 'Asia/Tokyo',
    roundingMode: 'CEILING',
    corrections: 'only',
    order: 'asc',
    source: 'WarehouseService',
    dataGroupName: 'Preps',
    symbols: [changed],
  } satisfies Record<keyof typeof stored, unknown>
  await send('PUT', `/dataprep/${id}`, { ...update, ...untrimmed(update), version: 1 })
  expect(await read(update)).toMatchObject({ ...update, id, version: 2 })
})

test('DP-314 users without the entitlement RW on data preps can read them, but cannot save, run or delete them', async () => {
  const reader = await server.createUser({ role: 'Report author' })
  await server.grantGroup({ groupName: 'Preps', userName: reader.userName, access: 'RW' })
  const { id } = await create(anna, { name: 'guarded', symbols: [symbolA] })
  expect(await reader.call(getDataPrep, byId(id))).toMatchObject({ name: 'guarded' })
  const dataPrep = { name: 'guarded', outputGroup: 'Preps', version: 1 }
  for (const attempt of [
    () => create(reader, { name: 'by a reader' }),
    () => reader.call(updateDataPrep, { ...byId(id), body: { dataPrep } }),
    () => reader.call(runDataPrep, { ...byId(id), query: {} }),
    () => reader.call(deleteDataPrep, byId(id)),
  ])
    await expect(attempt()).rejects.toMatchObject({ status: 403, body: { code: 'forbidden' } })
  const stranger = await server.createUser({ role: 'Viewer' })
  await expect(stranger.call(searchDataPreps, { query: {} })).rejects.toMatchObject({ status: 403 })
  expect(await anna.call(getDataPrep, byId(id))).toMatchObject({ version: 1 })
})

test('DP-359 every save is a version that can be read and listed by id and by name, newest first', async () => {
  const { id } = await create(anna, { name: 'versions', symbols: [symbolA] })
  const second = await ben.call(updateDataPrep, {
    ...byId(id),
    body: { dataPrep: { name: 'versions', outputGroup: 'Preps', version: 1, symbols: [symbolA, symbolA] } },
  })
  expect(second).toMatchObject({ id, version: 2, modifiedBy: 'ben@example.com', owner: 'anna@example.com' })
  expect(await anna.call(getDataPrep, { ...byId(id), query: { version: 1 } })).toMatchObject({
    version: 1,
    latest: false,
    symbols: [{ valueColumnName: 'Close' }],
  })
  const named = { groupName: 'Preps', name: 'versions' }
  for (const [query, version] of [
    [{ ...named, version: 1 }, 1],
    [{ ...named, version: 1, latest: true }, 2],
    [{ ...named, version: 'latest' }, 2],
    [named, 2],
  ] as const)
    expect(await anna.call(getDataPrepByName, { query })).toMatchObject({ id, version })
  const expected = { totalSize: 2, items: [{ version: 2, latest: true, symbolCount: 2 }] }
  expect(await anna.call(listDataPrepVersions, { ...byId(id), query: { size: 1 } })).toMatchObject(expected)
  expect(
    await anna.call(listDataPrepVersionsByName, { query: { groupName: 'Preps', name: 'versions', size: 1 } }),
  ).toMatchObject(expected)
  await expect(anna.call(getDataPrep, { ...byId(id), query: { version: 3 } })).rejects.toMatchObject({
    status: 404,
    body: { code: 'prepNotFound' },
  })
  await expect(anna.call(getDataPrep, { ...byId(id), query: { version: 'first' } })).rejects.toMatchObject({
    status: 400,
  })
})

test('of two concurrent saves of one version one is stored and the other is rejected', async () => {
  const { id } = await create(anna, { name: 'raced' })
  const saves = [anna, ben].map((session) =>
    session.call(updateDataPrep, {
      ...byId(id),
      body: { dataPrep: { name: 'raced', outputGroup: 'Preps', version: 1, order: 'desc' } },
    }),
  )
  const results = await Promise.allSettled(saves)
  const [stored] = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refused).toMatchObject([{ status: 409, body: { code: 'prepChanged' } }])
  expect(refused[0].body.message).toContain(stored!.modifiedBy)
  expect((await anna.call(listDataPrepVersions, byId(id))).totalSize).toBe(2)
  await expect(
    anna.call(updateDataPrep, {
      ...byId(id),
      body: { dataPrep: { name: 'raced', outputGroup: 'Preps' } as never },
    }),
  ).rejects.toMatchObject({ status: 400, body: { validationErrors: [{ field: 'version' }] } })
})

test('IN-320 a data prep can be found, created, changed, run and deleted by its id, each with one call', async () => {
  const { id } = await create(anna, { name: 'by id', symbols: [symbolA] })
  const matches = async () =>
    (await anna.call(searchDataPreps, { query: { query: id } })).items.map((prep) => prep.id)
  expect(await matches()).toEqual([id])
  const body = { dataPrep: { name: 'by id', outputGroup: 'Preps', version: 1, symbols: [symbolA] } }
  await anna.call(updateDataPrep, { ...byId(id), body })
  const versions = await anna.call(listDataPrepVersions, { ...byId(id), query: {} })
  expect(versions.items.map(({ version }) => version)).toEqual([2, 1])
  const { jobId } = await anna.call(runDataPrep, { ...byId(id), query: {} })
  expect(jobId).toMatch(/^[0-9a-f-]{36}$/)
  await anna.call(deleteDataPrep, byId(id))
  expect(await matches()).toEqual([])
})

test('DP-348 a name that is taken in its group is reported on the field name; other groups may use it', async () => {
  await create(anna, { name: 'taken' })
  const attempts = await Promise.allSettled(
    Array.from({ length: 20 }, () => create(anna, { name: 'taken at once' })),
  )
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const { id } = await create(anna, { name: 'elsewhere', outputGroup: 'Other' })
  const taken = { status: 400, body: { code: 'prepExists', validationErrors: [{ field: 'name' }] } }
  await expect(create(anna, { name: ' taken ' })).rejects.toMatchObject(taken)
  await expect(
    anna.call(updateDataPrep, {
      ...byId(id),
      body: { dataPrep: { name: 'taken', outputGroup: 'Preps', version: 1 } },
    }),
  ).rejects.toMatchObject(taken)
  expect(await create(anna, { name: 'taken', outputGroup: 'Other' })).toMatchObject({ version: 1 })
})

test.each([
  [{ outputGroup: '' }, 400, 'outputGroup'],
  [{ outputGroup: 'No such group' }, 400, 'outputGroup'],
  [{ outputGroup: 'Hidden' }, 400, 'outputGroup'],
  [{ outputGroup: 'Read only' }, 403, 'outputGroup'],
  [{ name: ' ' }, 400, 'name'],
  [{ symbols: [{ ...symbolA, pattern: true, valueColumnNames: [] }] }, 400, 'symbols'],
  [{ symbols: [{ symbols: { Code: 'A' } }] }, 400, 'symbols'],
])(
  'DP-348 DP-349 DP-354 saving or changing %j is rejected with %i on the field %s',
  async (change, status, field) => {
    const refused = { status, body: { validationErrors: [{ field }] } }
    await expect(create(ben, { name: 'refused', ...change })).rejects.toMatchObject(refused)
    const { id, version } = await create(ben, { name: `to change ${JSON.stringify(change)}` })
    const dataPrep = { name: 'changed', outputGroup: 'Preps', version, ...change }
    await expect(ben.call(updateDataPrep, { ...byId(id), body: { dataPrep } })).rejects.toMatchObject(refused)
    expect(await ben.call(getDataPrep, byId(id))).toMatchObject({ version })
  },
)

test('renaming and moving preserve the id and require write access to both groups', async () => {
  const { id } = await create(anna, { name: 'moved' })
  const moved = { name: 'renamed', outputGroup: 'Other', version: 1 }
  await expect(ben.call(updateDataPrep, { ...byId(id), body: { dataPrep: moved } })).rejects.toMatchObject({
    status: 400,
    body: { validationErrors: [{ field: 'outputGroup' }] },
  })
  expect(await anna.call(updateDataPrep, { ...byId(id), body: { dataPrep: moved } })).toMatchObject({
    id,
    name: 'renamed',
    outputGroup: 'Other',
    version: 2,
  })
  expect(await anna.call(getDataPrep, { ...byId(id), query: { version: 1 } })).toMatchObject({
    name: 'renamed',
    outputGroup: 'Other',
  })
  await expect(ben.call(getDataPrep, byId(id))).rejects.toMatchObject({ status: 404 })
})

test('readers can neither save nor delete; users without access find nothing', async () => {
  const { id } = await create(anna, { name: 'seen', outputGroup: 'Read only' })
  expect(await ben.call(getDataPrep, byId(id))).toMatchObject({ name: 'seen', writeAccess: false })
  for (const attempt of [
    () => ben.call(deleteDataPrep, byId(id)),
    () =>
      ben.call(updateDataPrep, {
        ...byId(id),
        body: { dataPrep: { name: 'seen', outputGroup: 'Preps', version: 1 } },
      }),
  ])
    await expect(attempt()).rejects.toMatchObject({ status: 403, body: { code: 'outputGroupForbidden' } })
  const hidden = await create(anna, { name: 'unseen', outputGroup: 'Hidden' })
  for (const attempt of [
    () => ben.call(getDataPrep, byId(hidden.id)),
    () => ben.call(listDataPrepVersions, byId(hidden.id)),
    () => ben.call(deleteDataPrep, byId(hidden.id)),
    () => ben.call(getDataPrepByName, { query: { groupName: 'Hidden', name: 'unseen' } }),
  ])
    await expect(attempt()).rejects.toMatchObject({ status: 404, body: { code: 'prepNotFound' } })
  const { items } = await ben.call(searchDataPreps, { query: { query: 'seen' } })
  expect(items).toMatchObject([{ name: 'seen', writeAccess: false }])
})

test('DP-361 a deleted data prep is removed from the list, as are those of a deleted group', async () => {
  const { id } = await create(anna, { name: 'short-lived' })
  await anna.call(deleteDataPrep, byId(id))
  expect((await anna.call(searchDataPreps, { query: { query: 'short-lived' } })).items).toEqual([])
  await anna.call(createGroup, { body: { name: 'Gone' } })
  const inGroup = await create(anna, { name: 'with its group', outputGroup: 'Gone' })
  await anna.call(deleteGroup, { params: { name: 'Gone' } })
  await expect(anna.call(getDataPrep, byId(inGroup.id))).rejects.toMatchObject({ status: 404 })
})

test('DP-358 the search takes query, size and latest, sorts and pages', async () => {
  await anna.call(createGroup, { body: { name: 'Searched' } })
  const made = []
  for (const name of ['b 10%', 'A x', 'c_x']) made.push(await create(anna, { name, outputGroup: 'Searched' }))
  await anna.call(updateDataPrep, {
    ...byId(made[0]!.id),
    body: { dataPrep: { name: 'b 10%', outputGroup: 'Searched', version: 1 } },
  })
  const names = async (query: object) =>
    (
      await anna.call(searchDataPreps, { query: { groupName: 'Searched', sortBy: 'name', ...query } })
    ).items.map(({ name, version }) => `${name} ${version}`)
  expect(await names({})).toEqual(['A x 1', 'b 10% 2', 'c_x 1'])
  expect(await names({ latest: false })).toEqual(['A x 1', 'b 10% 2', 'b 10% 1', 'c_x 1'])
  expect(await names({ query: 'X' })).toEqual(['A x 1', 'c_x 1'])
  expect(await names({ query: '%' })).toEqual(['b 10% 2'])
  expect(await names({ query: '_' })).toEqual(['c_x 1'])
  expect(await names({ query: '*' })).toHaveLength(3)
  expect(await names({ query: 'name=*x*' })).toEqual(['A x 1', 'c_x 1'])
  expect(await names({ query: 'name=x' })).toEqual([])
  expect(await names({ query: 'groupName=search*&name=a*' })).toEqual(['A x 1'])
  expect(await names({ query: made[2]!.id })).toEqual(['c_x 1'])
  expect(await names({ query: `id=${made[2]!.id}` })).toEqual(['c_x 1'])
  expect(await names({ query: 'id=nonsense' })).toEqual([])
  expect(await names({ sortOrder: 'DESC' })).toEqual(['c_x 1', 'b 10% 2', 'A x 1'])
  const page = await anna.call(searchDataPreps, { query: { groupName: 'Searched', size: 1, from: 1 } })
  expect(page).toMatchObject({ from: 1, totalSize: 3, items: [{ groupName: 'Searched' }] })
})

test('DP-356 DP-357 by id and by name, resolvePattern adds the matching symbols and withMetadata the current metadata', async () => {
  const { id } = await create(anna, {
    name: 'resolved',
    symbols: [
      { ...symbolA, metadata: { Desk: 'old' } },
      { groupName: 'Preps', symbols: { Code: 'B' }, pattern: true, valueColumnNames: ['Cl*'] },
      { groupName: 'Preps' },
      { groupName: 'Hidden' },
      { groupName: 'Preps', symbols: { Code: 'unknown' }, metadata: { Desk: 'kept' } },
    ],
  })
  const plain = await ben.call(getDataPrep, byId(id))
  expect(plain.symbols[0]!.metadata).toEqual({ Desk: 'old' })
  expect(plain).not.toHaveProperty('resolved')
  const full = await ben.call(getDataPrep, {
    ...byId(id),
    query: { withMetadata: true, resolvePattern: true },
  })
  expect(full.symbols.map(({ metadata }) => metadata)).toEqual([
    { Desk: 'oil' },
    {},
    {},
    {},
    { Desk: 'kept' },
  ])
  expect(full.resolved).toMatchObject([
    {
      index: 1,
      totalSize: 2,
      items: [
        {
          groupName: 'Preps',
          symbols: { Code: 'B', Venue: 'x' },
          metadata: { Desk: 'gas' },
          columns: ['Close'],
        },
        { symbols: { Code: 'B', Venue: 'y' } },
      ],
    },
    { index: 2, totalSize: 3 },
    { index: 3, totalSize: 0, items: [] },
  ])
  const named = { groupName: 'Preps', name: 'resolved' }
  expect(await ben.call(getDataPrepByName, { query: named })).toEqual(plain)
  expect(
    await ben.call(getDataPrepByName, { query: { ...named, withMetadata: true, resolvePattern: true } }),
  ).toEqual(full)
  const { resolved } = await anna.call(getDataPrep, { ...byId(id), query: { resolvePattern: 'True' } })
  expect(resolved![2]).toMatchObject({ totalSize: 1, items: [{ symbols: { Code: 'SECRET' }, metadata: {} }] })
  const dataPrep = { name: 'resolved', outputGroup: 'Preps', version: 1, symbols: [symbolA] }
  await anna.call(updateDataPrep, { ...byId(id), body: { dataPrep } })
  for (const [query, version, metadata, patterns] of [
    [{ version: 1, latest: false, withMetadata: true, resolvePattern: true }, 1, { Desk: 'oil' }, [1, 2, 3]],
    [
      { version: 1, latest: false, withMetadata: false, resolvePattern: false },
      1,
      { Desk: 'old' },
      undefined,
    ],
    [{ version: 1, latest: true, withMetadata: true, resolvePattern: true }, 2, { Desk: 'oil' }, []],
    [{ version: 'latest', withMetadata: false, resolvePattern: false }, 2, {}, undefined],
  ] as const) {
    const read = await ben.call(getDataPrepByName, { query: { ...named, ...query } })
    expect([read.version, read.symbols[0]!.metadata, read.resolved?.map(({ index }) => index)]).toEqual([
      version,
      metadata,
      patterns,
    ])
  }
})

test('a data prep of 2,000 symbols can be saved, read and resolved', async () => {
  const symbols = Array.from({ length: 2000 }, (_, at) => ({
    groupName: 'Preps',
    symbols: { Code: `S${at}`, Venue: 'x' },
    valueColumnNames: ['Close'],
  }))
  const created = await create(anna, { name: 'large', symbols })
  expect(created.symbols).toHaveLength(2000)
  const read = await anna.call(getDataPrep, { ...byId(created.id), query: { withMetadata: true } })
  expect(read.symbols[1999]).toMatchObject({ symbols: { Code: 'S1999', Venue: 'x' } })
})

test('rejects hostile input with a message, and returns valid input unchanged', async () => {
  for (const body of [
    'null',
    '[]',
    '{}',
    '{"dataPrep":null}',
    '{"dataPrep":[]}',
    '{"dataPrep":"x"}',
    '{"dataPrep":{"name":{},"outputGroup":[]}}',
    '{"dataPrep":{"name":"a","outputGroup":"Preps","symbols":{"length":1e9}}}',
    '{"dataPrep":{"name":"a","outputGroup":"Preps","symbols":[null]}}',
    '{"dataPrep":{"name":"a","outputGroup":"Preps","symbols":[{"symbols":{"a":{"b":1}}}]}}',
    '{"dataPrep":{"name":"a","outputGroup":"Preps","range":["LAST"],"delta":{}}}',
    '{"dataPrep":{"name":"a\\u0000b","outputGroup":"Preps"}}',
    '{"dataPrep":{"name":"a","outputGroup":"Preps","symbols":[{"groupName":"Preps","symbols":{"a":"\\u0000"}}]}}',
    '{"dataPrep":{"name":"a\\ud800","outputGroup":"Preps"}}',
    '{"dataPrep":{"name":"a","outputGroup":"Preps","decimalPrecision":1e400}}',
    `{"dataPrep":{"name":"a","outputGroup":"Preps","lastTypeAmount":"${'9'.repeat(39)}"}}`,
    '{"dataPrep":',
  ])
    for (const [method, path] of [
      ['POST', '/dataprep'],
      ['PUT', '/dataprep/00000000-0000-4000-8000-000000000000'],
    ] as const) {
      const response = await anna.fetch(path, {
        method,
        body,
        headers: { 'Content-Type': 'application/json' },
      })
      expect(response.status, `${method} ${body}`).toBe(400)
      expect(((await response.json()) as { message: string }).message.length).toBeGreaterThan(10)
    }
  for (const path of [
    '/dataprep/nonsense',
    `/dataprep/${'x'.repeat(60)}`,
    '/dataprep/%27%20or%201=1',
    '/dataprep/00000000-0000-4000-8000-000000000000/versions',
    "/dataprep/name?groupName=Preps&name=x'%3B--",
  ])
    expect((await anna.fetch(path)).status, path).toBe(404)
  const symbols = JSON.parse('{"__proto__":"a","constructor":"b","%_\\\\":"*","quote\\"":"l1\\nl2"}')
  const { id } = await create(anna, {
    name: `'"%_; drop table; --`,
    symbols: [{ groupName: 'Preps', symbols }],
  })
  const response = await anna.fetch(`/dataprep/${id}?resolvePattern=true&withMetadata=true`)
  const read = (await response.json()) as { symbols: { symbols: object }[] }
  expect(response.status).toBe(200)
  expect(new Map(Object.entries(read.symbols[0]!.symbols))).toEqual(new Map(Object.entries(symbols)))
})
