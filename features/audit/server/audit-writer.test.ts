import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RecordedRequest } from '@headwater/server-kit'
import { createAuditWriter } from './audit-writer.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const request = (route: string): RecordedRequest => ({
  at: new Date(0),
  userId: 1,
  userName: 'anna@example.com',
  runId: undefined,
  route,
  method: 'POST',
  path: '/',
  object: {},
  status: 200,
  address: '',
})

function collect(fail: () => boolean = () => false) {
  const batches: string[][] = []
  const warnings: string[] = []
  const writer = createAuditWriter({
    store: {
      async append(records) {
        if (fail()) throw new Error('The database is not available.')
        batches.push(records.map(({ route }) => route))
      },
    },
    warn: (message) => warnings.push(message),
  })
  return { writer, batches, warnings }
}

test('stores the records of 250 ms in one batch, in order', async () => {
  const { writer, batches } = collect()
  writer.record(request('a'))
  await vi.advanceTimersByTimeAsync(200)
  writer.record(request('b'))
  expect(batches).toEqual([])
  await vi.advanceTimersByTimeAsync(50)
  writer.record(request('c'))
  await vi.advanceTimersByTimeAsync(250)
  expect(batches).toEqual([['a', 'b'], ['c']])
})

test('stores at most 1,000 records in a statement', async () => {
  const { writer, batches } = collect()
  for (let index = 0; index < 2500; index++) writer.record(request('a'))
  await writer.flush()
  expect(batches.map(({ length }) => length)).toEqual([1000, 1000, 500])
})

test('retries a failed batch, and reports records that are lost', async () => {
  let failures = 2
  const { writer, batches, warnings } = collect(() => failures-- > 0)
  writer.record(request('a'))
  await vi.advanceTimersByTimeAsync(10_000)
  expect([batches, warnings]).toEqual([[['a']], []])
  failures = 4
  writer.record(request('b'))
  await vi.advanceTimersByTimeAsync(10_000)
  expect([batches, warnings]).toEqual([[['a']], ['1 records of the audit log are lost.']])
})

test('a flush at shutdown stores the records that arrived during the last batch', async () => {
  const { writer, batches } = collect()
  writer.record(request('a'))
  const first = writer.flush()
  writer.record(request('b'))
  await first
  await writer.flush()
  expect(batches.flat()).toEqual(['a', 'b'])
})
