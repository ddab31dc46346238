import { expect, test } from 'vitest'
import { createFairQueue, type FairQueue } from './fair-queue.ts'

const queueOf = (more: object = {}) =>
  createFairQueue({
    concurrency: 2,
    perOwner: 2,
    releaseAfterMs: 60_000,
    tooMany: { waiting: 2, error: () => new Error('too many') },
    ...more,
  })
const never = new AbortController().signal
const one = { owner: 1, signal: never }

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

test('an owner that aborts releases its slot or leaves the queue', async () => {
  const queue = queueOf({ concurrency: 1 })
  const gone = new AbortController()
  const tired = new AbortController()
  await queue.take({ owner: 1, signal: gone.signal })
  const left = queue.take({ owner: 1, signal: tired.signal })
  const next = queue.take(one)
  tired.abort(new Error('tired'))
  await expect(left).rejects.toThrow('tired')
  gone.abort()
  ;(await next).end()
  ;(await queue.take(one)).end()
})

test('a slot is released after the time limit', async () => {
  const queue = queueOf({ concurrency: 1, releaseAfterMs: 1 })
  await queue.take(one)
  await queue.take(one)
})

test('work that exceeds the time limit is aborted', async () => {
  const queue = queueOf({ abortAfterMs: 5 })
  const { signal } = await queue.take(one)
  expect(signal.aborted).toBe(false)
  await expect.poll(() => signal.aborted).toBe(true)
  const gone = new AbortController()
  const left = await queueOf().take({ owner: 1, signal: gone.signal })
  gone.abort()
  expect(left.signal.aborted).toBe(true)
})

/**
 * Requests all slots at once and returns the owners in the order in which they were served. Each slot is released
 * before the next one starts.
 */
async function served(
  queue: FairQueue,
  works: readonly { owner: string; cost?: number }[],
): Promise<string[]> {
  const order: string[] = []
  await Promise.all(
    works.map(async ({ owner, cost = 0 }) => {
      const { end } = await queue.take({ owner, cost, signal: never })
      order.push(cost === 0 ? owner : `${owner} ${cost}`)
      end()
    }),
  )
  return order
}
const any = { tooMany: undefined }

test('serves another client next while one client floods the queue', async () => {
  const queue = queueOf({ ...any, concurrency: 1, perOwner: 1 })
  const { end } = await queue.take({ owner: 'flood', signal: never })
  const flood = Array.from({ length: 50 }, () => ({ owner: 'flood' }))
  const order = served(queue, [...flood, { owner: 'other' }, { owner: 'other' }])
  end()
  expect((await order).slice(0, 5)).toEqual(['other', 'flood', 'other', 'flood', 'flood'])
})

test('limits the slots of one client, so that others do not wait', async () => {
  const queue = queueOf({ ...any, concurrency: 3, perOwner: 2 })
  const first = await queue.take({ owner: 'flood', signal: never })
  await queue.take({ owner: 'flood', signal: never })
  let hasThird = false
  const third = queue.take({ owner: 'flood', signal: never }).then((slot) => {
    hasThird = true
    return slot
  })
  const other = await queue.take({ owner: 'other', signal: never })
  expect(hasThird).toBe(false)
  first.end()
  await third
  other.end()
})

test('serves the cheapest work of an owner first, and equal costs in order of arrival', async () => {
  const queue = queueOf({ ...any, concurrency: 1 })
  const { end } = await queue.take({ owner: 'a', signal: never })
  const order = served(
    queue,
    [5, 1, 3, 1].map((cost) => ({ owner: 'a', cost })),
  )
  end()
  expect(await order).toEqual(['a 1', 'a 1', 'a 3', 'a 5'])
})

test('rejects an owner with too much waiting work while another owner can still wait', async () => {
  const queue = queueOf({
    ...any,
    concurrency: 1,
    tooManyOfOwner: { waiting: 1, error: () => new Error('yours') },
  })
  const { end } = await queue.take({ owner: 'flood', signal: never })
  const flood = queue.take({ owner: 'flood', signal: never })
  await expect(queue.take({ owner: 'flood', signal: never })).rejects.toThrow('yours')
  const other = queue.take({ owner: 'other', signal: never })
  end()
  ;(await other).end()
  ;(await flood).end()
})
