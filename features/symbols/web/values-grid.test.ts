import { expect, test } from 'vitest'
import {
  columnTypes,
  emptyGrid,
  filledRows,
  gridFaults,
  maxGridRows,
  toNcsv,
  withCell,
  withColumn,
  withoutColumn,
  withPasted,
} from './values-grid.ts'

const cellsOf = (grid: ReturnType<typeof emptyGrid>) => filledRows(grid).map(({ cells }) => cells)

test('there is always an empty row for new values', () => {
  let grid = emptyGrid()
  expect(grid.rows).toHaveLength(4)
  grid = withCell(grid, 3, 0, '2024-01-01')
  expect(grid.rows).toHaveLength(5)
})

test('pastes spreadsheet cells into the grid, which grows', () => {
  const grid = withPasted(emptyGrid(), 1, 0, '2024-01-01\t1.5\tcalm\r\n2024-01-02\t2\t\r\n')
  expect(grid.columns).toEqual(['Value', ''])
  expect(grid.rows.slice(1, 3)).toEqual([
    ['2024-01-01', '1.5', 'calm'],
    ['2024-01-02', '2', ''],
  ])
})

test('the heading of pasted CSV lines names the columns', () => {
  const grid = withPasted(emptyGrid(), 0, 0, 'Date,Close,"High"\n2024-01-01,1,2')
  expect(grid.columns).toEqual(['Close', 'High'])
  expect(cellsOf(grid)).toEqual([['2024-01-01', '1', '2']])
})

test('pasted quoted cells can contain separators, quotes and line breaks; unbalanced quotes are text', () => {
  const grid = withPasted(emptyGrid(), 0, 0, '2024-01-01\t"a\tb"\t"say ""hi"""\n2024-01-02\t"x\ny"\t5" pipe')
  expect(cellsOf(grid)).toEqual([
    ['2024-01-01', 'a\tb', 'say "hi"'],
    ['2024-01-02', 'x\ny', '5" pipe'],
  ])
  const loose = withPasted(emptyGrid(), 0, 0, '2024-01-01\t"5" pipe\n2024-01-02\t"open')
  expect(cellsOf(loose)).toEqual([
    ['2024-01-01', '"5" pipe'],
    ['2024-01-02', '"open'],
  ])
})

test('cuts long input quickly', () => {
  const grid = withPasted(emptyGrid(), 0, 0, '2024-01-01\t1\n'.repeat(5000))
  expect(grid.rows).toHaveLength(maxGridRows)
})

test('adds and removes columns with their values', () => {
  const grid = withPasted(withColumn(emptyGrid(['A'])), 0, 0, '2024-01-01\t1\t2')
  expect(cellsOf(withoutColumn(grid, 1))).toEqual([['2024-01-01', '2']])
})

test('reports every invalid cell with its position', () => {
  const known = [
    { name: 'Close', type: 'double' as const },
    { name: 'Volume', type: 'integer' as const },
  ]
  const grid = withPasted(
    emptyGrid(),
    0,
    0,
    'x\tClose\tVolume\tVolume\n2024-02-30\tmuch\t1.5\n\t1\t\n2024-01-01 25:00',
  )
  expect(gridFaults(grid, known).map(({ row, column }) => [row, column])).toEqual([
    [-1, 3],
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 0],
    [2, 0],
  ])
  expect(gridFaults(emptyGrid(['']), [])).toEqual([
    { row: -1, column: 1, message: 'Enter a name for the column.' },
  ])
})

test('a column has the type it has in the group, or else is numeric unless a value is not a number', () => {
  const grid = withPasted(emptyGrid(), 0, 0, 'x\tClose\tNote\tDue\n2024-01-01\t-1e3\tcalm\t2024-06-01')
  expect(columnTypes(grid, [{ name: 'Due', type: 'date' }])).toEqual(['double', 'string', 'date'])
})

test('the file has keys, dates and values, quoted if necessary', () => {
  const grid = withPasted(
    emptyGrid(),
    0,
    0,
    'x\tClose\tNote\n2024-01-01 16:30\t1.5\tcalm, "quiet"\n2024-01-02\t\tx',
  )
  expect(toNcsv({ Code: 'A,B', Venue: 'ICE' }, grid, [])).toBe(
    'Code,Venue,Date,Close,Note(S)\n"A,B",ICE,2024-01-01T16:30,1.5,"calm, ""quiet"""\n"A,B",ICE,2024-01-02,,x\n',
  )
})
