import { describe, expect, test } from 'vitest'
import {
  readSeriesResult,
  rowsBySymbol,
  type SeriesResult,
  type LoadedResult,
  formatCellDate,
  groupColumnWidth,
  lookups,
  maxLookups,
  rowKeys,
  withChoices,
  withGroupNames,
  withLookups,
  columnDecimals,
  footerText,
  orderedColumns,
  tableTile,
  type TableRule,
} from '@headwater/tile-data/core'
import { createCellLooks, footerRow, headerRow, isAbout, rowAlign, rowStyle } from './cell-looks.ts'
import { exportTableOf } from './table-export.ts'
import {
  readTypedRows,
  withCell,
  withDuplicate,
  withNewRow,
  withoutRow,
  writeTypedRows,
} from './typed-rows.ts'

const result = readSeriesResult(`Code,Date(UTC),Price
B,2026-01-02T00:00:00,2
W,2026-01-02T00:00:00,20
B,2026-01-01T00:00:00,1
`)
const loaded = (given: SeriesResult, ...groups: string[]): LoadedResult => ({
  groupNames: new Set(groups),
  result: given,
  rowsOf: rowsBySymbol(given),
})
const parse = (fields: object) => tableTile.parse(fields)

describe('custom columns', () => {
  const choice = { columnId: 'Choice', columnType: 'dropdown' }

  test('IN-196 a column is of one of four types', () => {
    const types = ['text', 'dropdown', 'async', 'queryDropdown']
    const { columns } = parse({
      columns: [...types, 'pie'].map((columnType) => ({ columnId: 'a', columnType })),
    })
    expect(columns.map(({ columnType }) => columnType)).toEqual([...types, 'text'])
  })

  test('IN-196 a chosen value appears in the cell of its row, in a separate or an existing column', () => {
    const cells = { 'W|2026-01-02T00:00:00': { Choice: 'x', Code: 'V' } }
    const table = parse({ columns: [choice, { columnId: 'Code', columnType: 'queryDropdown' }] })
    const { rows, columns } = withChoices(result, table, cells)
    expect(columns!.map(({ name }) => name)).toEqual(['Code', 'Date', 'Price', 'Choice'])
    expect(rows.map((row) => [row[0], row[3]])).toEqual([
      ['B', ''],
      ['V', 'x'],
      ['B', ''],
    ])
    expect(withChoices(result, parse({}), cells)).toBe(result)
  })

  test('a choice stays with its row when newer rows arrive; choices whose rows cannot be identified are counted', () => {
    expect(result.rows.map(rowKeys(result))).toEqual([
      'B|2026-01-02T00:00:00',
      'W|2026-01-02T00:00:00',
      'B|2026-01-01T00:00:00',
    ])
    const plain: SeriesResult = {
      header: ['a'],
      rows: [['1'], ['1']],
      limited: false,
      columns: [{ index: 0, name: 'a', kind: 'text' }],
    }
    expect(plain.rows.map(rowKeys(plain))).toEqual(['#1', '#2'])
  })

  test('IN-195 IN-208 an async column shows the latest value of the series that its row selects', () => {
    const table = parse({
      columns: [
        {
          columnId: 'Latest',
          columnType: 'async',
          columnAsyncGroupName: 'G',
          columnAsyncColumn: 'Close',
          asyncFilters: [
            { name: 'Code', value: '{{Code}}' },
            { name: 'Region', value: '*' },
          ],
        },
      ],
    })
    expect(lookups(result, table)).toEqual([
      { groupName: 'G', symbols: { Code: 'B', Region: '*' }, valueColumnNames: ['Close'], pattern: true },
      { groupName: 'G', symbols: { Code: 'W', Region: '*' }, valueColumnNames: ['Close'], pattern: true },
    ])
    const newest = readSeriesResult(
      'Code,Region,Date(UTC),Close\nB,EU,2026-01-03T00:00:00,\nB,EU,2026-01-02T00:00:00,7\nX,EU,2026-01-02T00:00:00,9\n',
    )
    const { rows, columns } = withLookups(result, table, [loaded(newest, 'G')])
    expect(rows.map((row) => row[3])).toEqual(['7', '', '7'])
    expect(columns![3]).toMatchObject({ name: 'Latest', kind: 'number' })
    expect(withLookups(result, table, [loaded(newest, 'Other')]).rows[0]![3]).toBe('')
  })

  test('looks up nothing for empty cells and unknown columns, and at most a thousand series', () => {
    const table = (value: string) =>
      parse({
        columns: [
          {
            columnId: 'L',
            columnType: 'async',
            columnAsyncGroupName: 'G',
            asyncFilters: [{ name: 'K', value }],
          },
        ],
      })
    expect(lookups(result, table('{{Gone}}'))).toEqual([])
    expect(lookups(result, table(''))).toEqual([])
    const many = { ...result, rows: Array.from({ length: 5000 }, (_, at) => [`c${at}`, '', '']) }
    expect(lookups(many, table('{{Code}}'))).toHaveLength(maxLookups)
  })

  test('IN-209 the group-name column is 8 px wide per character plus 38, but at least 106', () => {
    expect(groupColumnWidth(['Gas'])).toBe(106)
    expect(groupColumnWidth(['123456789'])).toBe(110)
    expect(groupColumnWidth(['12345678'])).toBe(106)
    expect(groupColumnWidth(['a', '12345678901234567890'])).toBe(198)
    const symbols = [
      { groupName: 'Oil', symbols: { Code: 'B' } },
      { groupName: 'World', symbols: { Code: '*' } },
    ]
    const [named] = withGroupNames([loaded(result, 'Oil', 'World')], symbols)
    expect(named!.rows.map(([group, code]) => [group, code])).toEqual([
      ['Oil', 'B'],
      ['World', 'W'],
      ['Oil', 'B'],
    ])
  })
})

describe('cell styles', () => {
  const rule = (applyTo: string): TableRule =>
    parse({
      conditionalFormatting: [{ applyTo, condition: '>', conditionValueA: '0', textColor: '#ff0000' }],
    }).conditionalFormatting[0]!

  test('IN-211 a rule applies to a column, to odd or even rows, to the first or last row, or to all', () => {
    const about = (applyTo: string) =>
      [0, 1, 2, footerRow, headerRow].filter((row) =>
        isAbout(rule(applyTo), { columnId: 'Price', row, rows: 3 }),
      )
    expect(about('Price')).toEqual([0, 1, 2])
    expect(about('Code')).toEqual([])
    expect(about('ALL')).toEqual([0, 1, 2])
    expect(about('FIRST')).toEqual([0])
    expect(about('LAST')).toEqual([2])
    expect(about('Row 1')).toEqual([0, 2])
    expect(about('Row 2')).toEqual([1])
    expect(about('Footer')).toEqual([footerRow])
    expect(about('Header')).toEqual([headerRow])
  })

  test('IN-210 the last matching rule wins; without one the style of the column applies', () => {
    const { conditionalFormatting } = parse({
      conditionalFormatting: [
        { applyTo: 'ALL', condition: '>', conditionValueA: 1, textColor: '#111111', bgColor: '#aabbcc' },
        { applyTo: 'ALL', condition: 'between', conditionValueA: '5', conditionValueB: 9, textStyle: 'bold' },
        { applyTo: 'ALL', condition: '>', conditionValueA: '7', textColor: '#222222' },
      ],
    })
    const columns = [{ columnId: 'Price', textColor: '#333333', textStyle: 'lighter' }]
    const table = parse({ columns, conditionalFormatting })
    const column = orderedColumns(result, table).find(({ settings }) => settings.columnId === 'Price')!
    const looks = createCellLooks(table, { rows: result.rows })
    const style = (value: string) => looks(column, value, { columnId: 'Price', row: 0, rows: 1 }).style
    expect(style('8')).toMatchObject({
      color: '#222222',
      backgroundColor: '#aabbcc',
      fontWeight: 600,
    })
    expect(style('1')).toMatchObject({ color: '#333333', fontWeight: 300 })
  })

  test('IN-198 IN-199 the header, odd and even rows, and the footer each have all five styles', () => {
    const ids = ['Header', 'Row 1', 'Row 2', 'Footer'] as const
    const looks = { align: 'center', color: '#111111', style: 'bold', background: '#222222', fontSize: 14 }
    const table = parse({ rowConfigs: ids.map((id) => ({ id, ...looks })) })
    expect(table.rowConfigs).toEqual(ids.map((id) => ({ id, ...looks })))
    for (const id of ids) {
      expect(rowAlign(table, id)).toBe('center')
      expect(rowStyle(table, id)).toEqual({
        color: '#111111',
        fontWeight: 600,
        backgroundColor: '#222222',
        fontSize: 14,
      })
    }
  })

  test('IN-198 IN-199 rows without a style setting have none; unknown kinds of rows are ignored', () => {
    const table = parse({
      rowConfigs: [
        {
          id: 'Header',
          align: 'center',
          color: '#111111',
          style: 'bold',
          background: '#222222',
          fontSize: 14,
        },
        { id: 'Row 7', color: '#333333' },
        { id: 'Row 2', background: 'url(//evil)', fontSize: 900 },
      ],
    })
    expect(rowStyle(table, 'Header')).toEqual({
      color: '#111111',
      fontWeight: 600,
      backgroundColor: '#222222',
      fontSize: 14,
    })
    expect(rowAlign(table, 'Header')).toBe('center')
    expect(rowStyle(table, 'Row 2')).toEqual({})
    expect(table.rowConfigs.map(({ id }) => id)).toEqual(['Header', 'Row 2'])
  })

  test('IN-120 the dateFormat of a tile formats its dates', () => {
    const text = '2026-03-05T07:08:09.25'
    expect(formatCellDate(text, 'dd.MM.yyyy HH:mm:ss.SSS')).toBe('05.03.2026 07:08:09.250')
    expect(formatCellDate(text, "EEE d MMM yy, 'at' H:mm")).toBe('Thu 5 Mar 26, at 7:08')
    expect(formatCellDate('2026-03-05', 'MM/dd/yyyy')).toBe('03/05/2026')
    expect(formatCellDate('soon', 'yyyy')).toBe('soon')
  })

  test('the footer shows the sum, average, minimum, maximum or count of the values', () => {
    const rows = [['1'], ['2.5'], [''], ['x'], ['0.1']]
    expect(footerText(rows, 0, 'Sum')).toBe('3.6')
    expect(footerText(rows, 0, 'Average')).toBe('1.2')
    expect(footerText(rows, 0, 'Minimum')).toBe('0.1')
    expect(footerText(rows, 0, 'Maximum')).toBe('2.5')
    expect(footerText(rows, 0, 'Count')).toBe('4')
    expect(footerText([['']], 0, 'Sum')).toBe('')
    expect(footerText(rows, 0, '')).toBe('')
  })

  test('damaged table settings are replaced with defaults', () => {
    expect(
      parse({
        stickyRows: 'many',
        stickyColumns: true,
        tooltipConfig: [7, { value: '' }, { value: 'a', showInTooltip: 'x' }],
        contextMenuActions: [{ type: 'explode', tileIds: ['b', 7] }],
        cells: { a: 7 },
        columns: [{ columnId: 'a', columnType: 'pie', asyncFilters: 'no' }, {}],
      }),
    ).toMatchObject({
      stickyRows: 0,
      stickyColumns: 1,
      tooltipConfig: [{ value: 'a', showInTooltip: true }],
      contextMenuActions: [{ type: 'previewDetails', tileIds: ['b'] }],
      cells: {},
      columns: [{ columnId: 'a', columnType: 'text', asyncFilters: [] }],
    })
  })
})

describe('typed rows', () => {
  const table = readTypedRows('Name;Value\nAnn;1\nBob;2')

  test('IN-200 rows can be added, duplicated and removed; cells can be changed', () => {
    expect(writeTypedRows(withNewRow(table, 0))).toBe('Name,Value\nAnn,1\n,\nBob,2')
    expect(writeTypedRows(withNewRow(table))).toBe('Name,Value\nAnn,1\nBob,2\n,')
    expect(writeTypedRows(withDuplicate(table, 0))).toBe('Name,Value\nAnn,1\nAnn,1\nBob,2')
    expect(writeTypedRows(withoutRow(table, 0))).toBe('Name,Value\nBob,2')
    expect(writeTypedRows(withCell(table, 1, 'Value', '1,5 "x"'))).toBe('Name,Value\nAnn,1\nBob,"1,5 ""x"""')
    expect(writeTypedRows(withCell(table, 0, 'New', '=1'))).toBe('Name,Value,New\nAnn,1,=1\nBob,2,')
  })

  test('formatted rows are parsed back unchanged, including empty ones', () => {
    for (const text of ['', 'a\nb,c', 'a"b', ' x '])
      expect(
        readTypedRows(
          writeTypedRows({
            header: ['A', 'B'],
            rows: [
              [text, ''],
              ['', text],
            ],
          }),
        ).rows,
      ).toEqual([
        [text, ''],
        ['', text],
      ])
    expect(readTypedRows(writeTypedRows(withNewRow({ header: ['A'], rows: [] }))).rows).toHaveLength(1)
    expect(withNewRow(readTypedRows(''))).toEqual({ header: ['Column 1', 'Column 2'], rows: [['', '']] })
  })
})

test('IN-210 cells that meet a rule are exported with its style', () => {
  const rule = { applyTo: 'Price', condition: '>', conditionValueA: '5' }
  const table = parse({
    columns: [{ columnId: 'Code', textStyle: 'bold' }],
    conditionalFormatting: [{ ...rule, bgColor: '#ff0000', textColor: '--bad' }],
  })
  const { rows, looks } = exportTableOf(
    orderedColumns(result, table),
    result.rows,
    'UTC',
    createCellLooks(table, { rows: result.rows }),
  )
  expect(rows.map((row) => row[2])).toEqual([2, 20, 1])
  expect([0, 1, 2].map((row) => looks?.(row, 2))).toEqual([
    undefined,
    { color: 'var(--bad)', background: '#ff0000', isBold: false },
    undefined,
  ])
  expect(looks?.(0, 0)).toEqual({ color: undefined, background: undefined, isBold: true })
})

test('printed numbers have the unit and the decimals of their column, on one line', () => {
  const table = parse({ columns: [{ columnId: 'Price', unit: '$', unitOnFront: true }] })
  const long = [['A', '2026-01-01T00:00:00', '1234567']]
  const { columns } = exportTableOf(
    orderedColumns(result, table),
    long,
    'UTC',
    createCellLooks(table, { rows: long }),
  )
  expect(columns[2]!.text!(1_234_567, 0)).toBe('$1,234,567')
})

test('all numbers of a column have the same number of decimals, up to the limit', () => {
  const given = readSeriesResult(
    'Code,Date(UTC),Price\nB,2026-01-02T00:00:00,28.8\nB,2026-01-01T00:00:00,28.125\n',
  )
  expect([columnDecimals(given, 2, 2), columnDecimals(given, 2, null), columnDecimals(given, 2, 0)]).toEqual([
    2, 3, 0,
  ])
})
