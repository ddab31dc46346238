import { describe, expect, test } from 'vitest'
import { mergeResults, splitByGroup } from './merge-results.ts'
import { resultColumns, readSeriesResult, rowsBySymbol, SeriesResultError } from './series-result.ts'

describe('readSeriesResult', () => {
  test('IN-326 a CSV response has a header row and rows', () => {
    expect(readSeriesResult('Code,Date(UTC),Price\nB,2026-01-01T00:00:00,1.5\n')).toEqual({
      header: ['Code', 'Date(UTC)', 'Price'],
      rows: [['B', '2026-01-01T00:00:00', '1.5']],
      limited: false,
    })
  })
  test('IN-348 drops a last row with a different number of cells; such a row in the middle is an error', () => {
    expect(readSeriesResult('a,b\n1,2\n3').rows).toEqual([['1', '2']])
    expect(readSeriesResult('a,b\n1,2\n3,4,5\n').rows).toEqual([['1', '2']])
    expect(() => readSeriesResult('a,b\n1\n3,4')).toThrow('CSV file can not be parsed.')
  })
  test('IN-349 IN-351 broken CSV is an error with a message', () => {
    const read = () => readSeriesResult('a,b\n"1,2')
    expect(read).toThrow(SeriesResultError)
    expect(read).toThrow('CSV file can not be parsed.')
  })
  test('IN-350 an empty CSV has no rows', () => {
    expect(readSeriesResult('')).toEqual({ header: [], rows: [], limited: false })
  })
  test('IN-352 IN-353 a single row of status and message is a server error, marked as quiet for status 400', () => {
    const errorOf = (status: number) => {
      try {
        readSeriesResult(`status,message\n${status},Too much\n`)
      } catch (error) {
        return error as SeriesResultError
      }
      return undefined
    }
    expect(errorOf(400)).toMatchObject({ message: 'Too much', quiet: true })
    expect(errorOf(500)).toMatchObject({ message: 'Too much', quiet: false })
    expect(readSeriesResult('status,message\n1,a\n2,b\n').rows).toHaveLength(2)
    expect(readSeriesResult('status,message,x\n400,a,1\n').rows).toHaveLength(1)
  })
  test('marks a result with fewer rows as limited or drawn', () => {
    const read = (options?: Parameters<typeof readSeriesResult>[1]) =>
      readSeriesResult('a,b\n1,2\n3,4\n', options)
    expect(read()).toMatchObject({ limited: false })
    expect(read({ totalRows: 2 })).toMatchObject({ limited: false, totalRows: 2 })
    expect(read({ totalRows: 3 })).toMatchObject({ limited: true, totalRows: 3 })
    expect(read({ totalRows: 3, drawn: true })).toMatchObject({ limited: false, totalRows: 3, drawn: true })
    expect(read({ totalRows: 2, drawn: true })).not.toHaveProperty('drawn')
  })
})

test('columns before the date are symbol keys, those after it typed values', () => {
  const header = [
    'Code',
    'Region(EU)',
    'Date(Europe/Berlin)',
    'Price',
    'Note(S)',
    'Count(I)',
    'Due(D)',
    'Unit(MD-S)',
  ]
  expect(resultColumns({ header }).map(({ name, kind }) => [name, kind])).toEqual([
    ['Code', 'symbol'],
    ['Region(EU)', 'symbol'],
    ['Date', 'time'],
    ['Price', 'number'],
    ['Note', 'text'],
    ['Count', 'number'],
    ['Due', 'text'],
    ['Unit', 'text'],
  ])
})

test('indexes rows by symbol, with empty cells for missing keys', () => {
  const rowsOf = rowsBySymbol({
    header: ['A', 'B', 'Date(UTC)', 'x'],
    rows: [
      ['1', '', 't', '5'],
      ['1', '2', 't', '6'],
    ],
    limited: false,
  })
  expect(rowsOf({ A: '1' })).toEqual([['1', '', 't', '5']])
  expect(rowsOf({ B: '2', A: '1' })).toEqual([['1', '2', 't', '6']])
  expect(rowsOf({ A: '1', C: 'no such key' })).toEqual([])
})

test('queries the same symbol of two groups separately and returns one table', () => {
  const entry = (groupName: string) => ({ groupName, symbols: { Code: 'B' } })
  expect(splitByGroup([entry('One'), entry('Two'), entry('One')])).toEqual([
    [entry('One'), entry('One')],
    [entry('Two')],
  ])
  const merged = mergeResults([
    { header: ['Code', 'Date(UTC)', 'x'], rows: [['B', '2026-01-01', '1']], limited: false },
    { header: ['Key', 'Date(UTC)', 'y'], rows: [['K', '2026-01-02', '2']], limited: true },
  ])
  expect(merged).toEqual({
    header: ['Code', 'Key', 'Date(UTC)', 'x', 'y'],
    rows: [
      ['', 'K', '2026-01-02', '', '2'],
      ['B', '', '2026-01-01', '1', ''],
    ],
    limited: true,
  })
})
