import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startLane } from './lane.ts'

/** A polling interval longer than any test. */
const neverMs = 600_000

/** Starts a lane. The test responds to each claim and ends each job. */
function open({ capacity, reserved = 0 }: { capacity: number; reserved?: number }) {
  const claims: { limit: number; respond: (jobs: string[]) => void }[] = []
  const ends = new Map<string, () => void>()
  const lane = startLane<string>({
    capacity,
    reserved,
    pollMs: neverMs,
    claim: (limit) => new Promise((respond) => claims.push({ limit, respond })),
    run: (job) => new Promise((end) => ends.set(job, end)),
    warn: () => {},
  })
  return {
    lane,
    limits: () => claims.map(({ limit }) => limit),
    respond: async (...jobs: string[]) => {
      claims.at(-1)!.respond(jobs)
      await setImmediate()
    },
    end: async (job: string) => {
      ends.get(job)!()
      await setImmediate()
    },
    stop: async () => {
      const stopped = lane.stop()
      claims.at(-1)!.respond([])
      await stopped
    },
  }
}

test('when a job ends, the lane does not claim again if the last claim received all waiting jobs', async () => {
  const { lane, limits, respond, end, stop } = open({ capacity: 4 })
  await respond('a', 'b')
  await end('a')
  await end('b')
  expect(limits()).toEqual([4])
  lane.wake()
  await setImmediate()
  expect(limits()).toEqual([4, 4])
  await stop()
})

test('when a job ends, the lane claims again if the last claim lacked slots for all waiting jobs', async () => {
  const full = open({ capacity: 2 })
  await full.respond('a', 'b')
  expect(full.limits()).toEqual([2])
  await full.end('a')
  expect(full.limits()).toEqual([2, 1])
  await full.stop()
  const withReserve = open({ capacity: 3, reserved: 1 })
  await withReserve.respond('a', 'b')
  await withReserve.end('a')
  expect(withReserve.limits()).toEqual([3, 2])
  await withReserve.stop()
})

test('a slot is available to waiting jobs unless it is reserved or other work waits for it', async () => {
  const { lane, respond, end, stop } = open({ capacity: 3, reserved: 1 })
  await respond('a')
  expect(lane.hasFreeSlot()).toBe(true)
  lane.wake()
  await setImmediate()
  await respond('b')
  expect(lane.hasFreeSlot()).toBe(false)
  await end('b')
  expect(lane.hasFreeSlot()).toBe(true)
  const { signal } = new AbortController()
  const occupied = lane.occupy(signal)
  await respond()
  const release = await occupied
  await respond()
  expect(lane.hasFreeSlot()).toBe(false)
  const next = lane.occupy(signal)
  await end('a')
  await respond()
  expect(lane.hasFreeSlot()).toBe(false)
  release()
  await respond()
  const releaseNext = await next
  await respond()
  expect(lane.hasFreeSlot()).toBe(true)
  releaseNext()
  await stop()
})

test('a job that ends during a claim makes its slot available if the claim left jobs waiting', async () => {
  const { lane, limits, respond, end, stop } = open({ capacity: 3, reserved: 1 })
  await respond('a')
  lane.wake()
  await setImmediate()
  await end('a')
  await respond('b')
  expect(limits()).toEqual([3, 2, 2])
  await stop()
})
