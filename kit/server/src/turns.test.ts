import { expect, test } from 'vitest'
import { createTurns, type Turns } from './turns.ts'

const turnsOf = (more: object = {}) =>
  createTurns({
    atOnce: 2,
    perTaker: 2,
    longestMs: 60_000,
    tooMany: { waiting: 2, error: () => new Error('too many') },
    ...more,
  })
const never = new AbortController().signal
const one = { taker: 1, signal: never }

test('only so many take their turn at once, the others one after the other; too many are sent away', async () => {
  const turns = turnsOf()
  const order: number[] = []
  const take = async (at: number) => {
    const { end } = await turns.take(one)
    order.push(at)
    return end
  }
  const [first, second, third, fourth] = [take(1), take(2), take(3), take(4)]
  await expect(turns.take(one)).rejects.toThrow('too many')
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

test('who goes away gives up the turn or the place among those who wait', async () => {
  const turns = turnsOf({ atOnce: 1 })
  const gone = new AbortController()
  const tired = new AbortController()
  await turns.take({ taker: 1, signal: gone.signal })
  const left = turns.take({ taker: 1, signal: tired.signal })
  const next = turns.take(one)
  tired.abort(new Error('tired'))
  await expect(left).rejects.toThrow('tired')
  gone.abort()
  ;(await next).end()
  ;(await turns.take(one)).end()
})

test('a turn that is not ended ends by itself', async () => {
  const turns = turnsOf({ atOnce: 1, longestMs: 1 })
  await turns.take(one)
  await turns.take(one)
})

test('what is asked in a turn that does not end is ended, so that it holds nothing for ever', async () => {
  const turns = turnsOf({ limitMs: 5 })
  const { signal } = await turns.take(one)
  expect(signal.aborted).toBe(false)
  await expect.poll(() => signal.aborted, { timeout: 20_000 }).toBe(true)
  const gone = new AbortController()
  const left = await turnsOf().take({ taker: 1, signal: gone.signal })
  gone.abort()
  expect(left.signal.aborted).toBe(true)
})

/** Takes all at once and returns who got a turn, in order, each ending the turn before the next one. */
async function served(turns: Turns, asks: readonly { taker: string; cost?: number }[]): Promise<string[]> {
  const order: string[] = []
  await Promise.all(
    asks.map(async ({ taker, cost = 0 }) => {
      const { end } = await turns.take({ taker, cost, signal: never })
      order.push(cost === 0 ? taker : `${taker} ${cost}`)
      end()
    }),
  )
  return order
}
const any = { tooMany: undefined }

test('while the flood of one taker waits, what another one asks is next', async () => {
  const turns = turnsOf({ ...any, atOnce: 1, perTaker: 1 })
  const { end } = await turns.take({ taker: 'flood', signal: never })
  const flood = Array.from({ length: 50 }, () => ({ taker: 'flood' }))
  const order = served(turns, [...flood, { taker: 'other' }, { taker: 'other' }])
  end()
  expect((await order).slice(0, 5)).toEqual(['other', 'flood', 'other', 'flood', 'flood'])
})

test('a taker has so many turns at once, and leaves room for the others without their waiting', async () => {
  const turns = turnsOf({ ...any, atOnce: 3, perTaker: 2 })
  const first = await turns.take({ taker: 'flood', signal: never })
  await turns.take({ taker: 'flood', signal: never })
  let hasThird = false
  const third = turns.take({ taker: 'flood', signal: never }).then((turn) => {
    hasThird = true
    return turn
  })
  const other = await turns.take({ taker: 'other', signal: never })
  expect(hasThird).toBe(false)
  first.end()
  await third
  other.end()
})

test('of the work of one taker the cheapest comes first, equally cheap work in the order it came', async () => {
  const turns = turnsOf({ ...any, atOnce: 1 })
  const { end } = await turns.take({ taker: 'a', signal: never })
  const order = served(
    turns,
    [5, 1, 3, 1].map((cost) => ({ taker: 'a', cost })),
  )
  end()
  expect(await order).toEqual(['a 1', 'a 1', 'a 3', 'a 5'])
})

test('a taker for whom too much waits is refused, while another one may still wait', async () => {
  const turns = turnsOf({
    ...any,
    atOnce: 1,
    tooManyOfTaker: { waiting: 1, error: () => new Error('yours') },
  })
  const { end } = await turns.take({ taker: 'flood', signal: never })
  const flood = turns.take({ taker: 'flood', signal: never })
  await expect(turns.take({ taker: 'flood', signal: never })).rejects.toThrow('yours')
  const other = turns.take({ taker: 'other', signal: never })
  end()
  ;(await other).end()
  ;(await flood).end()
})
