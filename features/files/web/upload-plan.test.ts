import { expect, test } from 'vitest'
import {
  emptyUploadOptions,
  suggestFileType,
  uploadFields,
  withGroupFields,
  zonedToUtc,
} from './upload-plan.ts'

const warsaw = (date: string, time: string) => zonedToUtc(date, time, 'Europe/Warsaw')

test('DP-137 DP-138 DP-143 DP-144 DP-145 DP-146 IN-405 a data range is converted from the zone of the user to UTC milliseconds, by default from 00:00 to 23:59', () => {
  expect(emptyUploadOptions.range).toEqual({
    startDate: '',
    startTime: '00:00',
    endDate: '',
    endTime: '23:59',
  })
  const range = { ...emptyUploadOptions.range, startDate: '2026-01-05', endDate: '2026-07-05' }
  expect(uploadFields({ ...emptyUploadOptions, range }, warsaw)).toEqual([
    { name: 'dataStart', value: String(Date.parse('2026-01-04T23:00:00Z')) },
    { name: 'dataEnd', value: String(Date.parse('2026-07-05T21:59:00Z')) },
  ])
  const timed = { ...range, startTime: '06:30', endTime: '18:00' }
  expect(uploadFields({ ...emptyUploadOptions, range: timed }, warsaw)).toEqual([
    { name: 'dataStart', value: '1767591000000' },
    { name: 'dataEnd', value: '1783267200000' },
  ])
})

test('DP-135 DP-136 IN-404 metadata and the selected markers become fields; rows without a name are ignored', () => {
  expect(emptyUploadOptions).toMatchObject({
    partialUpdate: false,
    avoidDuplicates: false,
    skipMetadata: false,
    metadata: [],
  })
  expect(uploadFields(emptyUploadOptions, warsaw)).toEqual([])
  expect(suggestFileType('notes.txt', 'hello')).toBe('SOURCE')
  const options = {
    ...emptyUploadOptions,
    partialUpdate: true,
    avoidDuplicates: true,
    skipMetadata: true,
    metadata: [
      { name: ' Desk ', value: 'oil', type: 'string' as const, removable: true },
      { name: ' ', value: 'lost', type: 'string' as const, removable: true },
    ],
  }
  expect(uploadFields(options, warsaw)).toEqual([
    { name: 'Desk', value: 'oil' },
    { name: 'PARTIAL_UPDATE', value: 'true' },
    { name: 'AVOID_DUPLICATES', value: 'true' },
    { name: 'SKIP_METADATA', value: 'true' },
  ])
  for (const [option, name] of [
    ['partialUpdate', 'PARTIAL_UPDATE'],
    ['avoidDuplicates', 'AVOID_DUPLICATES'],
    ['skipMetadata', 'SKIP_METADATA'],
  ] as const)
    expect(uploadFields({ ...emptyUploadOptions, [option]: true }, warsaw)).toEqual([{ name, value: 'true' }])
})

test('IN-403 the form lists the fields of the group with name, value and type; only added fields can be removed', () => {
  const fields = [
    { name: 'Desk', type: 'string' as const },
    { name: 'Lot', type: 'int' as const },
  ]
  const free = { name: 'Note', value: 'mine', type: 'string' as const, removable: true }
  const begun = withGroupFields([free], fields)
  expect(begun).toEqual([
    { name: 'Desk', value: '', type: 'string', removable: false },
    { name: 'Lot', value: '', type: 'int', removable: false },
    free,
  ])
  const typed = withGroupFields(begun.with(1, { ...begun[1]!, value: '7' }), fields)
  expect(uploadFields({ ...emptyUploadOptions, metadata: typed }, warsaw)).toEqual([
    { name: 'Lot', value: '7' },
    { name: 'Note', value: 'mine' },
  ])
  expect(withGroupFields(typed, [{ name: 'Lot', type: 'int' }])).toEqual([typed[1], free])
  expect(withGroupFields(typed, [])).toEqual([free])
})

test.each([
  ['2026-03-29', '02:30', '2026-03-29T01:30:00Z'],
  ['2026-10-25', '01:30', '2026-10-24T23:30:00Z'],
  ['2026-10-25', '12:00', '2026-10-25T11:00:00Z'],
])('daylight saving time of a zone is correct near its changes: %s %s', (date, time, utc) => {
  expect(new Date(warsaw(date, time)).toISOString()).toBe(utc.replace('Z', '.000Z'))
})

test.each([
  ['brent.csv', 'Commodity,Date,Price\nBrent,2026-01-01,1', 'NCSV'],
  ['brent.csv', '\uFEFF# written manually\nSymbol,Date(Europe/London),Close(DB)', 'NCSV'],
  ['prices.csv', 'Date,Price\n2026-01-01,1', 'SOURCE'],
  ['shipments.csv', 'Vessel,Date In(S),Port', 'SOURCE'],
  ['notes.md', 'a,Date,b', 'SOURCE'],
  ['empty.csv', '', 'SOURCE'],
])('a series file is recognised by its first line: %s', (name, text, type) => {
  expect(suggestFileType(name, text)).toBe(type)
})
