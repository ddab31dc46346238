import { expect, test } from 'vitest'
import { createFairQueue, type FairQueue } from './fair-queue.ts'

const queueOf = (more: object = {}) =>
  createFairQueue({
    atOnce: 2,
    perTaker: 2,
    releaseAfterMs: 60_000,
    tooMany: { waiting: 2, error: () => new Error('too many') },
    ...more,
  })
const never = new AbortController().signal
const one = { taker: 1, signal: never }

test('limits concurrent slots, serves waiting clients in order and rejects excess work', async () => {
  const queue = queueOf()
  const order: number[] = []
  const take = async (at: number) => {
    const { end } = await queue.take(one)
    order.push(at)
    return end
  }
  const [first, second, third, fourth] = [take(1), take(2), take(3), take(4)]
  await expect(queue.take(one)).rejects.toThrow('too many')
  const end = await first
  await second
  expect(order).toEqual([1, 2])
  end()
  end()
  await third
  expect(order).toEqual([1, 2, 3])
  ;(await second)()
  await fourth
  expect(order).toEqual([1, 2, 3, 4])
})

test('a taker that aborts releases its slot or leaves the queue', async () => {
  const queue = queueOf({ atOnce: 1 })
  const gone = new AbortController()
  const tired = new AbortController()
  await queue.take({ taker: 1, signal: gone.signal })
  const left = queue.take({ taker: 1, signal: tired.signal })
  const next = queue.take(one)
  tired.abort(new Error('tired'))
  await expect(left).rejects.toThrow('tired')
  gone.abort()
  ;(await next).end()
  ;(await queue.take(one)).end()
})

test('a slot is released after the time limit', async () => {
  const queue = queueOf({ atOnce: 1, releaseAfterMs: 1 })
  await queue.take(one)
  await queue.take(one)
})

test('work that exceeds the time limit is aborted', async () => {
  const queue = queueOf({ abortAfterMs: 5 })
  const { signal } = await queue.take(one)
  expect(signal.aborted).toBe(false)
  await expect.poll(() => signal.aborted, { timeout: 20_000 }).toBe(true)
  const gone = new AbortController()
  const left = await queueOf().take({ taker: 1, signal: gone.signal })
  gone.abort()
  expect(left.signal.aborted).toBe(true)
})

/**
 * Requests all slots at once and returns the takers in the order in which they were served. Each slot is released
 * before the next one starts.
 */
async function served(
  queue: FairQueue,
  works: readonly { taker: string; cost?: number }[],
): Promise<string[]> {
  const order: string[] = []
  await Promise.all(
    works.map(async ({ taker, cost = 0 }) => {
      const { end } = await queue.take({ taker, cost, signal: never })
      order.push(cost === 0 ? taker : `${taker} ${cost}`)
      end()
    }),
  )
  return order
}
const any = { tooMany: undefined }

test('serves another client next while one client floods the queue', async () => {
  const queue = queueOf({ ...any, atOnce: 1, perTaker: 1 })
  const { end } = await queue.take({ taker: 'flood', signal: never })
  const flood = Array.from({ length: 50 }, () => ({ taker: 'flood' }))
  const order = served(queue, [...flood, { taker: 'other' }, { taker: 'other' }])
  end()
  expect((await order).slice(0, 5)).toEqual(['other', 'flood', 'other', 'flood', 'flood'])
})

test('limits the slots of one client, so that others do not wait', async () => {
  const queue = queueOf({ ...any, atOnce: 3, perTaker: 2 })
  const first = await queue.take({ taker: 'flood', signal: never })
  await queue.take({ taker: 'flood', signal: never })
  let hasThird = false
  const third = queue.take({ taker: 'flood', signal: never }).then((slot) => {
    hasThird = true
    return slot
  })
  const other = await queue.take({ taker: 'other', signal: never })
  expect(hasThird).toBe(false)
  first.end()
  await third
  other.end()
})

test('serves the cheapest work of a taker first, and equal costs in order of arrival', async () => {
  const queue = queueOf({ ...any, atOnce: 1 })
  const { end } = await queue.take({ taker: 'a', signal: never })
  const order = served(
    queue,
    [5, 1, 3, 1].map((cost) => ({ taker: 'a', cost })),
  )
  end()
  expect(await order).toEqual(['a 1', 'a 1', 'a 3', 'a 5'])
})

test('rejects a taker with too much waiting work while another taker can still wait', async () => {
  const queue = queueOf({
    ...any,
    atOnce: 1,
    tooManyOfTaker: { waiting: 1, error: () => new Error('yours') },
  })
  const { end } = await queue.take({ taker: 'flood', signal: never })
  const flood = queue.take({ taker: 'flood', signal: never })
  await expect(queue.take({ taker: 'flood', signal: never })).rejects.toThrow('yours')
  const other = queue.take({ taker: 'other', signal: never })
  end()
  ;(await other).end()
  ;(await flood).end()
})
