import { createZoneClock } from '@headwater/zones'
import { expect, test } from 'vitest'
import { parseDateBytes } from './parse-date.ts'
import { parseNumberBytes } from './parse-number.ts'

/** Park–Miller generator, so that every run tests the same inputs. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

const utc = createZoneClock('UTC')
const parseNumber = (text: string) => parseNumberBytes(Buffer.from(text), 0, text.length)
const parseDate = (text: string, zone = utc) => parseDateBytes(Buffer.from(text), 0, text.length, zone)

test('parses a number from bytes to the same bits as Number(text)', () => {
  const random = createRandom(7)
  const digits = (count: number) => Array.from({ length: count }, () => Math.floor(random() * 10)).join('')
  for (let i = 0; i < 200_000; i++) {
    const integer = digits(Math.floor(random() * 20))
    const fraction = digits(Math.floor(random() * 20))
    const sign = ['', '-', '+'][Math.floor(random() * 3)]!
    const exponent =
      random() < 0.3 ? `e${['', '-', '+'][Math.floor(random() * 3)]}${Math.floor(random() * 330)}` : ''
    const text = `${sign}${integer}${fraction === '' && integer !== '' ? '' : '.'}${fraction}${exponent}`
    const expected = /\d/.test(text.replace(/e.*/, '')) ? Number(text) : Number.NaN
    if (!Object.is(parseNumber(text), expected))
      expect.fail(`${text}: ${parseNumber(text)} instead of ${expected}`)
  }
  const view = new DataView(new ArrayBuffer(8))
  for (let i = 0; i < 100_000; i++) {
    view.setUint32(0, random() * 2 ** 32)
    view.setUint32(4, random() * 2 ** 32)
    const value = view.getFloat64(0)
    if (Number.isFinite(value) && !Object.is(parseNumber(String(value)), value)) expect.fail(String(value))
  }
})

test.each([
  '',
  ' ',
  '-',
  '.',
  '+.',
  '1e',
  '1e+',
  'e5',
  '1.2.3',
  '1,5',
  '0x10',
  'Infinity',
  'NaN',
  '1_000',
  '--1',
  '1 2',
  '１',
])('%j is not a number', (text) => {
  expect(parseNumberBytes(Buffer.from(text), 0, Buffer.byteLength(text))).toBeNaN()
})

test('parses a date from bytes to the same result as Date', () => {
  const random = createRandom(11)
  const earliest = Date.UTC(1677, 0, 1)
  const span = Date.UTC(2299, 11, 31) - earliest
  for (let i = 0; i < 100_000; i++) {
    const ms = earliest + Math.floor(random() * span)
    const iso = new Date(ms).toISOString()
    const minutes = Math.floor(random() * 1680) - 840
    const shifted = new Date(ms + minutes * 60_000).toISOString().slice(0, -1)
    const offset = `${minutes < 0 ? '-' : '+'}${String(Math.floor(Math.abs(minutes) / 60)).padStart(2, '0')}:${String(Math.abs(minutes) % 60).padStart(2, '0')}`
    const forms: [string, number][] = [
      [iso, ms],
      [iso.slice(0, -1).replace('T', ' '), ms],
      [iso.slice(0, 19), Math.floor(ms / 1000) * 1000],
      [`${iso.slice(0, 16)}Z`, Math.floor(ms / 60_000) * 60_000],
      [iso.slice(0, 10), Math.floor(ms / 86_400_000) * 86_400_000],
      [iso.replace('Z', '999Z'), ms],
    ]
    if (shifted.length === 23) forms.push([shifted + offset, ms])
    for (const [text, expected] of forms) {
      if (parseDate(text) !== expected) expect.fail(`${text}: ${parseDate(text)} instead of ${expected}`)
    }
  }
})

test.each([
  '2024',
  '2024-1-1',
  '2024-00-01',
  '2024-02-30',
  '2023-02-29',
  '2024-01-01T',
  '2024-01-01T1:00',
  '2024-01-01T24:00',
  '2024-01-01T10:60',
  '2024-01-01T10:00:60',
  '2024-01-01T10:00:00.',
  '2024-01-01T10:00+25:00',
  '2024-01-01T10:00 x',
  '2024-01-01Z',
  '1676-12-31',
  '2300-01-01',
  '01/02/2024',
  '2024x05-26',
  '2024-05x26',
  '2024-1/-01',
  '2024-/9-01',
  '2024-0:-01',
  '2024-01-1/',
  '2024-01-:1',
  '2024-01-01T10:00:00+1:00',
  '2024-01-01T10:00:00+02x00',
  '2024-01-01X10:00',
  '20240101',
  '2024-01-01T10:00:00+1',
])('%s is not a date', (text) => {
  expect(parseDate(text)).toBeNaN()
})

test.each([
  'Europe/Warsaw',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Africa/Casablanca',
  'America/St_Johns',
])('local time of %s converts to UTC and back', (timeZone) => {
  const random = createRandom(13)
  const clock = createZoneClock(timeZone)
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  for (let i = 0; i < 3000; i++) {
    const ms = Date.UTC(1970, 0, 1) + Math.floor(random() * 2_000_000_000) * 1000
    const local = format.format(ms)
    const utcMs = parseDate(local, clock)
    if (format.format(utcMs) !== local || utcMs > ms)
      expect.fail(`${local} became ${new Date(utcMs).toISOString()}`)
  }
})

test('a time skipped by daylight saving moves forward; a repeated time is the first instant', () => {
  const newYork = createZoneClock('America/New_York')
  expect(parseDate('2024-03-10T02:30', newYork)).toBe(Date.UTC(2024, 2, 10, 7, 30))
  expect(parseDate('2024-11-03T01:30', newYork)).toBe(Date.UTC(2024, 10, 3, 5, 30))
  const lordHowe = createZoneClock('Australia/Lord_Howe')
  expect(parseDate('2024-10-06T02:15', lordHowe)).toBe(Date.UTC(2024, 9, 5, 15, 45))
})
