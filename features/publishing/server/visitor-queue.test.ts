import { expect, test } from 'vitest'
import { createVisitorQueue, type VisitorQueue } from './visitor-queue.ts'

const never = new AbortController().signal
const take = (queue: VisitorQueue, address: string, insightId = 'sales') =>
  queue.take({ address, insightId, signal: never })

/** Starts endless queries of one address until one is rejected, and returns its error. */
async function flood(queue: VisitorQueue, address: string, size: number): Promise<unknown> {
  const refusals: unknown[] = []
  const queries = Array.from({ length: size }, (_, at) => take(queue, address, `insight ${at}`))
  for (const each of queries) each.catch((error: unknown) => refusals.push(error))
  await Promise.resolve()
  await new Promise(setImmediate)
  return refusals[0]
}

test('endless queries from one address do not delay those of another', async () => {
  const queue = createVisitorQueue()
  await flood(queue, '192.0.2.1', 100)
  const { end } = await take(queue, '192.0.2.2', 'insight 1')
  end()
})

test('a network with a full queue gets 429, other networks do not', async () => {
  const queue = createVisitorQueue()
  expect(await flood(queue, '2001:db8::1', 202)).toBeUndefined()
  await expect(take(queue, '2001:db8::2')).rejects.toMatchObject({ status: 429, code: 'tooManyRequests' })
  ;(await take(queue, '192.0.2.2')).end()
})

test('if many networks wait, visitors get 503 publicViewsBusy instead of 429', async () => {
  const queue = createVisitorQueue()
  for (let at = 0; at < 6; at++) await flood(queue, `192.0.2.${at}`, 200)
  await expect(take(queue, '192.0.2.1')).rejects.toMatchObject({
    status: 503,
    code: 'publicViewsBusy',
    message:
      'Too many visitors are currently loading data of public insights. Wait 10 seconds and try again.',
  })
})

test('queries of one public insight from many addresses do not block another insight', async () => {
  const queue = createVisitorQueue()
  for (let at = 0; at < 20; at++) take(queue, `192.0.2.${at}`, 'sales').catch(() => undefined)
  const { end } = await take(queue, '198.51.100.1', 'other')
  end()
})

test('an aborted waiting query frees its slot for the next one of the address', async () => {
  const queue = createVisitorQueue()
  const gone = new AbortController()
  const running = await Promise.all([1, 2, 3].map((at) => take(queue, `192.0.2.${at}`)))
  const waiting = queue.take({ address: '198.51.100.1', insightId: 'sales', signal: gone.signal })
  const last = take(queue, '198.51.100.1')
  gone.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  for (const { end } of running) end()
  ;(await last).end()
})
