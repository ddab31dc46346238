import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { validateNcsv } from '../contract/index.ts'

let server: TestServer
let anna: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
})
afterAll(() => server.stop())

const validate = (body: string) => anna.call(validateNcsv, { body })
const rows = (count: number) => `Ticker,Date,Price\n${'A,2024-01-31,1\n'.repeat(count)}`

test('DP-278 DP-279 a CSV text is validated on the server, which returns each invalid cell and a summary', async () => {
  expect(await validate(rows(2))).toEqual([])
  const items = await validate('Ticker,Date,Price\nA,2024-01-31,x\nA,2024-01-32,1\nA,2024-01-31,x\n')
  expect(items.map(({ rowNumber, columnNumber }) => [rowNumber, columnNumber])).toEqual([
    [2, 3],
    [3, 2],
    [4, 3],
    [-1, -1],
  ])
  expect(items.at(-1)?.message).toBe('Problems in total: 3.')
  expect((await validate(''))[0]).toMatchObject({ rowNumber: -1, columnNumber: -1 })
  expect((await validate('Ticker,Date,Price\n"A'))[0]).toMatchObject({ rowNumber: 2 })
})

test('DP-283 1,000 rows are validated, 1,001 rows return 413', async () => {
  expect(await validate(rows(1000))).toEqual([])
  await expect(validate(rows(1001))).rejects.toMatchObject({ status: 413 })
})
