import { expect, test } from 'vitest'
import { localDate, offsetMinutes, partsIn } from './clock-parts.ts'
import { allZones, canonicalZone, isTimeZone, zoneOffsetMs } from './zone-offset.ts'

test('accepts IANA names regardless of case and rejects offsets', () => {
  for (const name of ['UTC', 'Europe/Warsaw', 'europe/warsaw', 'Etc/GMT+2', 'EST'])
    expect(isTimeZone(name), name).toBe(true)
  for (const name of ['', ' ', 'Mars/Olympus', '+02:00', '-0500', 'Europe/Warsaw ', '2'])
    expect(isTimeZone(name), name).toBe(false)
})

test('maps aliases to one canonical name', () => {
  expect(canonicalZone('asia/kolkata')).toBe(canonicalZone('Asia/Calcutta'))
  expect(canonicalZone('Mars/Olympus')).toBeUndefined()
})

test('lists every zone once, UTC first', () => {
  const zones = allZones()
  expect(zones[0]).toBe('UTC')
  expect(new Set(zones).size).toBe(zones.length)
  expect(zones).toContain('Europe/London')
  expect(zones.filter((zone) => !isTimeZone(zone))).toEqual([])
})

test('returns offsets with daylight saving, with seconds, and in early years', () => {
  expect(zoneOffsetMs('Europe/Berlin', Date.UTC(2026, 0, 18))).toBe(3_600_000)
  expect(zoneOffsetMs('Europe/Berlin', Date.UTC(2026, 7, 18))).toBe(7_200_000)
  expect(zoneOffsetMs('Asia/Kolkata', 0.5)).toBe(19_800_000)
  const early = new Date(0).setUTCFullYear(50)
  expect(zoneOffsetMs('America/New_York', early)).toBe(-(4 * 3600 + 56 * 60 + 2) * 1000)
  expect(zoneOffsetMs('America/New_York', new Date(0).setUTCFullYear(-50))).toBe(
    -(4 * 3600 + 56 * 60 + 2) * 1000,
  )
  expect(zoneOffsetMs('UTC', Date.UTC(2026, 0, 1))).toBe(0)
  expect(() => zoneOffsetMs('Mars/Olympus', 0)).toThrow(RangeError)
})

test('returns offsets in whole minutes', () => {
  const summer = new Date('2026-08-18T12:32:07Z')
  expect(offsetMinutes('America/New_York', summer)).toBe(-240)
  expect(offsetMinutes('America/St_Johns', summer)).toBe(-150)
  expect(offsetMinutes('America/New_York', new Date(Date.UTC(1850, 0, 1)))).toBe(-296)
})

test('returns clock parts as text of fixed width', () => {
  expect(partsIn(new Date('2026-08-17T22:05:07.999Z'), 'Europe/Berlin')).toEqual({
    year: '2026',
    month: '08',
    day: '18',
    hour: '00',
    minute: '05',
    second: '07',
  })
  expect(localDate(new Date('2026-08-17T22:05:07.999Z'), 'Europe/Berlin')).toBe('2026-08-18')
  expect(partsIn(new Date(new Date(0).setUTCFullYear(812)), 'UTC').year).toBe('0812')
  expect(() => partsIn(new Date(Number.NaN), 'Europe/Berlin')).toThrow(RangeError)
  expect(() => partsIn(new Date(Number.NaN), 'UTC')).toThrow(RangeError)
})
