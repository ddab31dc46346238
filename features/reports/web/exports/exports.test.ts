import { describe, expect, test } from 'vitest'
import type { Tile } from '@headwater/tile-data/contract'
import { csvOf, exportAs, exportFormsOf, createTileExports, sheetNames } from '@headwater/tiles/web'
import { fillFileName } from './file-name-template.ts'
import { savedFields } from './save-to-lake.ts'
import { boxParts, readyParts, sheetsOf } from './whole-insight.ts'

const table = {
  columns: [
    { name: '=Name', kind: 'text' as const },
    { name: 'Price', kind: 'number' as const },
  ],
  rows: [
    ['=1+1', 1.5],
    ['@x', null],
    ['a, "b"', -2],
    ['=cmd("x")', 0],
  ],
}
const tile = (id: string, type = 'Table'): Tile => ({ id, type, title: id.toUpperCase() })
const waiting = () => ({ signal: new AbortController().signal, onProgress: () => undefined })

test('CSV escapes text that a spreadsheet would execute, and preserves numbers', () => {
  expect(csvOf(table)).toBe(`'=Name,Price\r\n'=1+1,1.5\r\n'@x,\r\n"a, ""b""",-2\r\n"'=cmd(""x"")",0\r\n`)
  expect(csvOf(table, { isExact: true })).toBe(
    `=Name,Price\r\n=1+1,1.5\r\n@x,\r\n"a, ""b""",-2\r\n"=cmd(""x"")",0\r\n`,
  )
})

test('sheets have valid and unique names', () => {
  expect(sheetNames(['A/B', 'a b', '', 'History', "'x'", 'n'.repeat(40), 'n'.repeat(40)])).toEqual([
    'A B',
    'a b (2)',
    'Sheet',
    'History (2)',
    'x',
    'n'.repeat(31),
    `${'n'.repeat(27)} (2)`,
  ])
})

describe('names of saved files', () => {
  const values = { now: new Date('2026-03-09T22:05:07.042Z'), timeZone: 'Europe/Berlin' }

  test('IN-398 the file name supports the current milliseconds and date formats', () => {
    expect(fillFileName('a_{millis}', values)).toBe('a_1773093907042')
    expect(fillFileName('{date}_{date:yy-MM-dd HH.mm.ss.SSS}', values)).toBe(
      '2026-03-09_26-03-09 23.05.07.042',
    )
    expect(fillFileName('{date:dd}{date:dd}', values)).toBe('0909')
  })
  test('other braces remain', () => {
    expect(fillFileName('{x} {date {millis', values)).toBe('{x} {date {millis')
    expect(fillFileName('{date:${alert(1)}}', values)).toBe('{date:${alert(1)}}')
  })
})

test('IN-396 a saved file has five metadata fields about its origin', () => {
  const from = { userName: 'anna', insightName: 'Oil', groupName: 'Reports', tileTitle: 'Prices' }
  expect(savedFields(from)).toEqual([
    { name: 'Saved by', value: 'anna' },
    { name: 'Source name', value: 'Oil' },
    { name: 'Source group', value: 'Reports' },
    { name: 'Source type', value: 'Insight' },
    { name: 'Tile', value: 'Prices' },
  ])
})

test('a tile offers the formats that it supports', () => {
  const make = async () => new Blob()
  expect(exportFormsOf({ state: 'ready', table: () => table })).toEqual(['csv', 'xlsx'])
  expect(exportFormsOf({ state: 'ready', picture: make, vector: async () => '' })).toEqual(['png', 'svg'])
  expect(exportFormsOf({ state: 'ready' })).toEqual([])
})

describe('the whole insight', () => {
  test('waits until each tile has loaded or failed, and reports progress', async () => {
    const exports = createTileExports()
    const progress: number[] = []
    exports.register('b', { state: 'failed', problem: 'Gone.' })
    exports.register('a', { state: 'loading' })
    const parts = readyParts([tile('a'), tile('b'), tile('c', 'STATUS')], exports, {
      ...waiting(),
      onProgress(ready) {
        progress.push(ready)
        exports.register('a', { state: 'ready', table: () => table })
      },
    })
    expect((await parts).map(({ title, exported }) => [title, exported.state, exported.note])).toEqual([
      ['A', 'ready', undefined],
      ['B', 'failed', undefined],
      ['C', 'ready', 'Exports do not include this tile type.'],
    ])
    expect(progress).toEqual([2, 3])
  })

  test('stops after a cancellation', async () => {
    const ending = new AbortController()
    const parts = readyParts([tile('a')], createTileExports(), { ...waiting(), signal: ending.signal })
    ending.abort()
    await expect(parts).rejects.toThrow(/abort/i)
  })

  test('the workbook begins with an overview of the insight and its parameters', async () => {
    const exports = createTileExports()
    exports.register('a', { state: 'ready', table: () => table })
    exports.register('b', { state: 'failed', problem: 'You cannot read Hidden.' })
    exports.register('box', { state: 'ready', figure: () => '$5' })
    const box = { id: 'box', title: 'Summary 1', content: 'TEXT' as const, text: '' }
    const [first, ...others] = await sheetsOf({
      insightName: 'Oil',
      groupName: 'Reports',
      savedAt: 'today',
      params: [{ label: 'Region', value: 'Europe', isParameter: true }],
      boxes: boxParts([box], exports),
      parts: await readyParts([tile('a'), tile('b')], exports, waiting()),
    })
    expect(first!.table.rows).toEqual([
      ['Insight', 'Oil'],
      ['Group', 'Reports'],
      ['Saved', 'today'],
      ['Parameter Region', 'Europe'],
      ['Summary 1', '$5'],
      ['B', 'You cannot read Hidden.'],
    ])
    expect(others).toEqual([{ name: 'A', table }])
  })

  test('the workbook notes the rows beyond the limit of a sheet', async () => {
    const exports = createTileExports()
    const rows = Array.from({ length: 1_048_578 }, () => ['x', 1])
    exports.register('a', { state: 'ready', table: () => ({ ...table, rows }) })
    exports.register('b', { state: 'ready', table: () => ({ ...table, rows: rows.slice(0, 1_048_575) }) })
    exports.register('c', {
      state: 'ready',
      table: () => ({ ...table, rows, omission: 'The newest 1,048,578 of 2,000,000 rows.' }),
    })
    const [first] = await sheetsOf({
      insightName: 'Oil',
      groupName: 'Reports',
      savedAt: 'today',
      params: [],
      boxes: [],
      parts: await readyParts([tile('a'), tile('b'), tile('c')], exports, waiting()),
    })
    const note =
      'A sheet contains at most 1,048,575 rows, so the last 3 of 1,048,578 rows are missing. Save the tile as CSV to export all of them.'
    expect(first!.table.rows.slice(3)).toEqual([
      ['A', note],
      ['C', `The newest 1,048,578 of 2,000,000 rows. ${note}`],
    ])
  })

  test('a workbook reports texts that are longer than a cell allows', async () => {
    const long = 'x'.repeat(32_768)
    const noteOf = async (...rows: (string | number)[][]) =>
      (await exportAs('xlsx', 'Prices', { state: 'ready', table: () => ({ ...table, rows }) })).omission
    expect(await noteOf([long.slice(1), 1])).toBeUndefined()
    expect(await noteOf([long, 1])).toBe(
      'A cell contains at most 32,767 characters, so a longer text is truncated. Save the tile as CSV to export all of them.',
    )
    expect(await noteOf([long, 1], [`${long}y`, 2])).toBe(
      'A cell contains at most 32,767 characters, so 2 longer texts are truncated. Save the tile as CSV to export all of them.',
    )
  })

  test('workbooks and files of a tile note incomplete rows', async () => {
    const exports = createTileExports()
    const limited = { state: 'ready' as const, omission: 'The newest 3 of 90 rows.', table: () => table }
    exports.register('a', limited)
    exports.register('b', {
      state: 'ready',
      table: async () => ({ ...table, omission: 'The newest 3 of 8 rows.' }),
    })
    const [first] = await sheetsOf({
      insightName: 'Oil',
      groupName: 'Reports',
      savedAt: 'today',
      params: [],
      boxes: [],
      parts: await readyParts([tile('a'), tile('b')], exports, waiting()),
    })
    expect(first!.table.rows.slice(3)).toEqual([
      ['A', 'The newest 3 of 90 rows.'],
      ['B', 'The newest 3 of 8 rows.'],
    ])
    expect((await exportAs('csv', 'A', limited)).omission).toBe('The newest 3 of 90 rows.')
    expect((await exportAs('csv', 'B', exports.find('b')!)).omission).toBe('The newest 3 of 8 rows.')
    expect((await exportAs('csv', 'B', { state: 'ready', table: () => table })).omission).toBeUndefined()
  })

  test('the workbook has notes for images and texts', async () => {
    const exports = createTileExports()
    exports.register('a', { state: 'ready', picture: async () => new Blob() })
    exports.register('b', { state: 'ready', html: () => '<p>x</p>' })
    const [first] = await sheetsOf({
      insightName: 'Oil',
      groupName: 'Reports',
      savedAt: 'today',
      params: [],
      boxes: [],
      parts: await readyParts([tile('a', 'IMAGE'), tile('b', 'Text')], exports, waiting()),
    })
    expect(first!.table.rows.slice(3)).toEqual([
      ['A', 'An image. Included in the PDF.'],
      ['B', 'A text tile; see the PDF.'],
    ])
  })
})
