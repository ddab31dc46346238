import { expect, test } from 'vitest'
import { formatTime, formatRelative, formatUtc, knownZone, offsetLabel, parseTime, zoneCity } from './time.ts'

const now = new Date('2026-08-18T12:32:07Z')

test('parses a time without a zone as UTC, a time with a zone in that zone, and a date as midnight UTC', () => {
  expect(parseTime('2026-08-18T14:31:00')?.toISOString()).toBe('2026-08-18T14:31:00.000Z')
  expect(parseTime('2026-08-18 14:31:00')?.toISOString()).toBe('2026-08-18T14:31:00.000Z')
  expect(parseTime('2023-12-19T10:03:43.246402281')?.toISOString()).toBe('2023-12-19T10:03:43.246Z')
  expect(parseTime('2026-08-18T14:31:00+02:00')?.toISOString()).toBe('2026-08-18T12:31:00.000Z')
  expect(parseTime('2026-08-18')?.toISOString()).toBe('2026-08-18T00:00:00.000Z')
  expect(parseTime(0)?.toISOString()).toBe('1970-01-01T00:00:00.000Z')
  expect(parseTime('not a time')).toBeUndefined()
})

test('formats a time in the zone of the reader, and in UTC', () => {
  expect(formatTime('2026-08-18T12:31:41', 'Europe/Berlin', 'datetime', now)).toBe('2026-08-18 14:31:41')
  expect(formatTime('2026-08-18T23:30:00', 'Asia/Kolkata', 'date', now)).toBe('2026-08-19')
  expect(formatUtc('2026-08-18T14:31:41+02:00')).toBe('2026-08-18 12:31:41 UTC')
  expect(formatTime('nonsense', 'UTC', 'datetime', now)).toBe('nonsense')
})

test('the short form is the time for today, Yesterday, the day for this year, and otherwise includes the year', () => {
  const short = (text: string) => formatTime(text, 'Europe/Berlin', 'compact', now)
  expect(short('2026-08-18T12:31:00')).toBe('14:31')
  expect(short('2026-08-17T21:59:00')).toBe('Yesterday')
  expect(short('2026-08-17T22:00:00')).toBe('00:00')
  expect(short('2026-08-15T10:00:00')).toBe('15 Aug')
  expect(short('2025-08-15T10:00:00')).toBe('15 Aug 2025')
})

test('SH-097 replaces an unknown time zone by UTC', () => {
  expect(knownZone('Europe/Warsaw')).toBe('Europe/Warsaw')
  expect(knownZone('Mars/Olympus')).toBe('UTC')
  expect(knownZone('')).toBe('UTC')
  expect(knownZone(undefined)).toBe('UTC')
})

test('SH-179 the offset of a zone follows daylight saving time', () => {
  expect(offsetLabel('Europe/Berlin', now)).toBe('UTC+2')
  expect(offsetLabel('Europe/Berlin', new Date('2026-01-18T12:00:00Z'))).toBe('UTC+1')
  expect(offsetLabel('Asia/Kolkata', now)).toBe('UTC+5:30')
  expect(offsetLabel('America/St_Johns', now)).toBe('UTC−2:30')
  expect(offsetLabel('UTC', now)).toBe('UTC')
  expect(zoneCity('America/Argentina/Buenos_Aires')).toBe('Buenos Aires')
})

test('formats relative times in one unit', () => {
  expect(formatRelative('2026-08-18T12:32:00', now)).toBe('just now')
  expect(formatRelative('2026-08-18T12:29:00', now)).toBe('3 minutes ago')
  expect(formatRelative('2026-08-16T12:29:00', now)).toBe('2 days ago')
  expect(formatRelative('2026-08-18T13:35:00', now)).toBe('in 1 hour')
  expect(formatRelative('2026-06-20T12:29:00', now)).toBe('59 days ago')
  expect(formatRelative('2026-05-18T12:29:00', now)).toBe('3 months ago')
  expect(formatRelative('2025-03-18T12:29:00', now)).toBe('17 months ago')
  expect(formatRelative('2010-08-18T12:29:00', now)).toBe('16 years ago')
})

test('the current year is that of the zone of the reader', () => {
  const newYearsEve = new Date('2025-12-31T20:00:00Z')
  const short = (zone: string) => formatTime('2025-12-20T10:00:00', zone, 'compact', newYearsEve)
  expect(short('Asia/Tokyo')).toBe('20 Dec 2025')
  expect(short('America/New_York')).toBe('20 Dec')
})
