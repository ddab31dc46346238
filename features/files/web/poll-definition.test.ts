import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pollDefinition } from './poll-definition.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** Polls a definition whose first requests fail, and returns the times of the requests in milliseconds. */
async function poll(failures: number): Promise<{ times: number[]; result: unknown }> {
  const [begin, times] = [Date.now(), [] as number[]]
  const read = async () => {
    times.push(Date.now() - begin)
    if (times.length <= failures) throw new Error(`failure ${times.length}`)
    return 'definition'
  }
  const result = pollDefinition(read).catch((error: Error) => error.message)
  await vi.advanceTimersByTimeAsync(60_000)
  return { times, result: await result }
}

test('DP-125 polling the definition of a file retries up to 4 times, every 3 s', async () => {
  expect(await poll(Infinity)).toEqual({ times: [0, 3000, 6000, 9000, 12_000], result: 'failure 5' })
  expect(await poll(4)).toEqual({ times: [0, 3000, 6000, 9000, 12_000], result: 'definition' })
  expect(await poll(0)).toEqual({ times: [0], result: 'definition' })
})
