import { afterAll, beforeAll, expect, test } from 'vitest'
import { searchFiles } from '@headwater/files/contract'
import { createGroup, deleteGroup, getGroup, listGroups } from '@headwater/groups/contract'
import { startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { requestDataAccess } from '../contract/index.ts'
import { createDataAccessService, type DataAccessDependencies } from './data-access-service.ts'

let server: TestServer
let anna: Session

const body = {
  insightName: 'Oil',
  insightGroup: 'Reports',
  tileTitle: 'Spreads',
  requestedData: {
    Prices: { symbols: { Code: 'BRENT*' }, metadata: { Unit: 'USD' }, pattern: true },
    Weather: {},
  },
}

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
})
afterAll(() => server.stop())

test('IN-406 IN-407 IN-408 IN-409 a request is stored as a file in the group DATA_REQUESTS, which is created if missing', async () => {
  const ben = await server.createUser({ email: 'ben@example.com', role: 'Viewer' })
  const present = await server.admin.call(listGroups, { query: { query: 'name=DATA_REQUESTS' } })
  for (const { name } of present.items) await server.admin.call(deleteGroup, { params: { name } })
  const [first, second] = await Promise.all([
    anna.call(requestDataAccess, { body }),
    ben.call(requestDataAccess, { body: { requestedData: { Prices: { symbols: { Code: 'WTI' } } } } }),
  ])
  const { items } = await server.admin.call(searchFiles, { query: { query: 'groupName=DATA_REQUESTS' } })
  expect(items).toHaveLength(2)
  expect(new Map(items.map(({ fid, owner }) => [fid, owner]))).toEqual(
    new Map([
      [first.fileId, 'anna@example.com'],
      [second.fileId, 'ben@example.com'],
    ]),
  )
  const content = async (fid: string) => (await server.admin.fetch(`/file/${fid}/download`)).json()
  expect(await content(first.fileId)).toEqual({
    username: 'anna@example.com',
    insightName: 'Oil',
    insightGroup: 'Reports',
    tileTitle: 'Spreads',
    requestedData: {
      Prices: { symbols: { Code: 'BRENT*' }, metadata: { Unit: 'USD' }, pattern: true },
      Weather: { symbols: {}, metadata: {}, pattern: false },
    },
  })
  expect(await content(second.fileId)).toMatchObject({
    username: 'ben@example.com',
    requestedData: { Prices: { symbols: { Code: 'WTI' }, pattern: false } },
  })
})

test('users who request access cannot read the group, which belongs to an administrator', async () => {
  await anna.call(requestDataAccess, { body })
  await expect(anna.call(getGroup, { params: { name: 'DATA_REQUESTS' } })).rejects.toMatchObject({
    status: 404,
  })
  expect(await server.admin.call(getGroup, { params: { name: 'DATA_REQUESTS' } })).toMatchObject({
    owner: 'admin@example.com',
  })
})

test.each([
  [{}, 'requestedData'],
  [{ requestedData: {} }, 'requestedData'],
  [{ requestedData: { Prices: { symbols: { Code: 5 } } } }, 'requestedData.Prices.symbols.Code'],
])('the request %j is rejected with the name of the field', async (wrong, field) => {
  await expect(anna.call(requestDataAccess, { body: wrong as never })).rejects.toMatchObject({
    status: 400,
    body: { validationErrors: [{ field }] },
  })
})

test('DP-032 IN-410 the server of another environment rejects requests and creates no group', async () => {
  const elsewhere = await startTestServer({ env: { HEADWATER_ENVIRONMENT: 'demo' } })
  try {
    const carl = await elsewhere.createUser({ email: 'carl@example.com' })
    await expect(carl.call(requestDataAccess, { body })).rejects.toMatchObject({
      status: 404,
      body: { code: 'dataRequestsNotAvailable' },
    })
    await carl.call(createGroup, { body: { name: 'DATA_REQUESTS' } })
  } finally {
    await elsewhere.stop()
  }
})

test.each([
  ...['ngpcd', 'prod', 'stage', 'stage-dw', 'dev'].map((environment) => [environment, true] as const),
  ...['demo', 'test', 'production', 'stage-2', ''].map((environment) => [environment, false] as const),
])('DP-032 IN-410 requests in the environment “%s” are accepted: %s', async (environment, isAccepted) => {
  const accepted = new Error('The service looks for the administrator.')
  const service = createDataAccessService({
    environment,
    findAdministrator: () => Promise.reject(accepted),
  } as unknown as DataAccessDependencies)
  const principal = { userName: anna.userName } as Parameters<typeof service.request>[0]
  await expect(service.request(principal, requestDataAccess.body.parse(body))).rejects.toMatchObject(
    isAccepted ? { message: accepted.message } : { code: 'dataRequestsNotAvailable' },
  )
})
