import { describe, expect, test } from 'vitest'
import { createZoneClock } from './zone-clock.ts'
import { zoneOffsetMs } from './zone-offset.ts'

const hourMs = 3_600_000
const zones = [
  'Europe/Warsaw',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Africa/Casablanca',
  'America/St_Johns',
  'Pacific/Apia',
  'America/Sao_Paulo',
]

/** Creates a reproducible random generator of numbers from 0 up to but excluding 1. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

test.each(zones)('the clock of %s agrees with the runtime at every instant', (zone) => {
  const random = createRandom(7)
  const clock = createZoneClock(zone)
  for (let count = 0; count < 3000; count++) {
    const utcMs = Date.UTC(1900, 0, 1) + Math.floor(random() * 4e12)
    if (clock.offsetAt(utcMs) !== zoneOffsetMs(zone, utcMs)) expect.fail(new Date(utcMs).toISOString())
    expect(clock.toLocal(utcMs)).toBe(utcMs + clock.offsetAt(utcMs))
  }
})

test.each(zones)(
  'converts local times of %s back in any order; repeated times return the first instant',
  (zone) => {
    const random = createRandom(13)
    const instants = Array.from({ length: 3000 }, () => Math.floor(random() * 2e9) * 1000)
    const sorted = Array.from({ length: 20_000 }, (_, hour) => Date.UTC(2010, 0, 1) + hour * hourMs)
    for (const list of [instants, sorted]) {
      const clock = createZoneClock(zone)
      for (const utcMs of list) {
        const localMs = utcMs + zoneOffsetMs(zone, utcMs)
        const all = clock.instantsOf(localMs)
        if (!all.includes(utcMs) || all[0] !== clock.toUtc(localMs))
          expect.fail(new Date(utcMs).toISOString())
      }
    }
  },
)

describe('daylight saving', () => {
  const newYork = createZoneClock('America/New_York')

  test('moves a skipped time forward by the length of the gap and returns no instants for it', () => {
    const skipped = Date.UTC(2024, 2, 10, 2, 30)
    expect(newYork.toUtc(skipped)).toBe(Date.UTC(2024, 2, 10, 7, 30))
    expect(newYork.instantsOf(skipped)).toEqual([])
    const lordHowe = createZoneClock('Australia/Lord_Howe')
    expect(lordHowe.toUtc(Date.UTC(2024, 9, 6, 2, 15))).toBe(Date.UTC(2024, 9, 5, 15, 45))
  })

  test('returns two instants for a repeated time, and converts it to the first', () => {
    const doubled = Date.UTC(2024, 10, 3, 1, 30)
    expect(newYork.instantsOf(doubled)).toEqual([Date.UTC(2024, 10, 3, 5, 30), Date.UTC(2024, 10, 3, 6, 30)])
    expect(newYork.toUtc(doubled)).toBe(Date.UTC(2024, 10, 3, 5, 30))
  })

  test('moves a skipped day to the next one', () => {
    const apia = createZoneClock('Pacific/Apia')
    expect(apia.instantsOf(Date.UTC(2011, 11, 30, 12))).toEqual([])
    expect(apia.toUtc(Date.UTC(2011, 11, 30, 12))).toBe(Date.UTC(2011, 11, 30, 22))
  })
})

test('accepts UTC regardless of case and rejects an unknown name', () => {
  for (const name of ['UTC', 'utc']) {
    const clock = createZoneClock(name)
    expect([clock.offsetAt(5), clock.toLocal(5), clock.toUtc(5), clock.instantsOf(5)]).toEqual([0, 5, 5, [5]])
  }
  expect(() => createZoneClock('Mars/Olympus')).toThrow(RangeError)
})

test('clamps numbers beyond the range of dates; NaN stays NaN', () => {
  const clock = createZoneClock('Asia/Kolkata')
  for (const ms of [9e15, -9e15, Infinity]) expect(Math.abs(clock.offsetAt(ms))).toBeGreaterThan(0)
  expect([clock.toLocal(Number.NaN), clock.toUtc(Number.NaN)]).toEqual([Number.NaN, Number.NaN])
})
