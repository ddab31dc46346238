import { expect, test } from 'vitest'
import { CsvSheet } from './csv-sheet.ts'
import { fromClipboard, toClipboard } from './clipboard.ts'
import { columnWidth, isLarge } from './grid-size.ts'
import { CsvIndexer, type CsvStep } from './index-csv.ts'
import { cellAt, pasteTexts } from './selection.ts'

type Content = string | Uint8Array<ArrayBuffer>

function parse(content: Content, given: { maxRows?: number; isWhole?: boolean; chunkBytes?: number } = {}) {
  const { chunkBytes = Infinity, ...options } = given
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const steps: CsvStep[] = []
  const indexer = new CsvIndexer({ size: bytes.length, isWhole: true, ...options }, (step) =>
    steps.push(step),
  )
  // A chunk can end anywhere: within a row, a quoted cell or a character.
  for (let at = 0; at < bytes.length; at += chunkBytes) indexer.add(bytes.slice(at, at + chunkBytes))
  const result = indexer.end()
  const blocks = steps.flatMap((step) => ('rows' in step ? [step.rows] : []))
  return { result, blocks, steps }
}

function open(content: Content, options: { maxRows?: number; isWhole?: boolean } = {}): CsvSheet {
  const { result, blocks } = parse(content, options)
  if (typeof result === 'string') throw new Error(result)
  return new CsvSheet({ ...result, blocks })
}

const bytesOf = async (sheet: CsvSheet) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(await sheet.toBlob().arrayBuffer())
const rowsOf = (sheet: CsvSheet) =>
  Array.from({ length: sheet.rowCount }, (_, row) => sheet.cellsOf(row).join('|'))

test('DP-218 the worker reports positions of 1000 rows per step, and the progress', () => {
  const { blocks, steps } = parse('a,b\n'.repeat(2500))
  expect(blocks.map((block) => block.length / 2)).toEqual([1000, 1000, 500])
  expect(steps.some((step) => 'percent' in step && step.percent === 100)).toBe(true)
})

test('rows, encoding and damage do not depend on how a file is split into chunks', () => {
  const rowsIn = (content: Content, chunkBytes?: number) => {
    const { result, blocks } = parse(content, chunkBytes === undefined ? {} : { chunkBytes })
    return { result, blocks }
  }
  const long = 'Gas,"a\r\nb",ü\n'.repeat(7000)
  for (const content of [long, `\ufeff${long}1`, 'a,b\n1,2', 'ü\n', '', `${long}"open`])
    expect(rowsIn(content, 4099)).toEqual(rowsIn(content))
  const latin = Uint8Array.from(Array.from('a,b\n1,\u00fc\n'.repeat(7000), (c) => c.charCodeAt(0)))
  const utf16 = Uint8Array.from(
    Array.from('\ufeffa,b\n1,ü\n'.repeat(7000)).flatMap((c) => [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8]),
  )
  for (const [bytes, encoding] of [
    [latin, 'windows-1252'],
    [utf16, 'utf-16le'],
  ] as const) {
    const chunked = rowsIn(bytes, 4099)
    expect(chunked.result).toMatchObject({ encoding, columnCount: 2 })
    expect(chunked).toEqual(rowsIn(bytes))
  }
  expect(parse(Uint8Array.from([1, 0, 2, 0, 0, 0]), { chunkBytes: 1 }).result).toBe('binary')
})

test('DP-220 rows with a different number of cells are counted and listed', () => {
  expect(parse('a,b\n1\n2,3\n4,5,6\n7,8\n').result).toMatchObject({
    rowCount: 5,
    columnCount: 3,
    unevenCount: 2,
    unevenRows: [1, 3],
  })
  expect(parse('a,b\n1,2\n').result).toMatchObject({ unevenCount: 0, unevenRows: [] })
})

test('the list of rows with a different number of cells follows insertions, deletions, sorts, corrections and undo', () => {
  const sheet = open('a,b\n9\n2,3\n4,5,6\n7,8\n')
  const uneven = () => sheet.unevenRows
  sheet.insertRows(1)
  expect(uneven()).toEqual({ version: sheet.version, count: 2, rows: [2, 4] })
  sheet.deleteRows(0, 2)
  // The row with one cell is now the first one.
  expect(uneven().rows).toEqual([1, 2, 3])
  sheet.undo()
  sheet.undo()
  sheet.sort(0, false, 1)
  expect(uneven().rows).toEqual([2, 4])
  sheet.setCells([{ row: 4, column: 1, value: 'corrected' }])
  expect(uneven().rows).toEqual([2])
  sheet.undo()
  expect(uneven().rows).toEqual([2, 4])
  const many = open(`a,b\n${'1\n'.repeat(1001)}2,3\n`)
  expect(many.unevenRows).toMatchObject({ count: 1001, rows: { length: 1000 } })
  many.deleteRows(1)
  expect(many.unevenRows).toMatchObject({ rows: undefined })
})

test('DP-221 a last row with a different number of cells is not in the grid, and a save preserves it', async () => {
  const sheet = open('a,b\n1,2\n3')
  expect(rowsOf(sheet)).toEqual(['a|b', '1|2'])
  expect(sheet.layout.unevenCount).toBe(0)
  sheet.setCells([{ row: 1, column: 0, value: 'x' }])
  expect(await bytesOf(sheet)).toBe('a,b\nx,2\n3')
})

test('DP-222 rows beyond the limit are omitted', () => {
  const { result } = parse('a,b\n'.repeat(3000), { maxRows: 1500 })
  expect(result).toMatchObject({ rowCount: 1500, isCut: true })
  expect(parse('a,b\n'.repeat(1500), { maxRows: 1500 }).result).toMatchObject({
    rowCount: 1500,
    isCut: false,
  })
})

test('rows beyond the limit do not count as rows with a different number of cells, and an open quote among them causes no damage', () => {
  expect(parse('a,b\n1,2\n3\n4,5,6\n"', { maxRows: 2 }).result).toMatchObject({
    rowCount: 2,
    columnCount: 2,
    unevenCount: 0,
    unevenRows: [],
    isCut: true,
  })
})

test('a row truncated by the end of a preview is not displayed; a complete last row with a different number of cells is listed', () => {
  const cut = open('name,price\nWheat,123.45\nOil,6', { isWhole: false })
  expect(rowsOf(cut)).toEqual(['name|price', 'Wheat|123.45'])
  expect(rowsOf(open('a,b\n1,"2\n3', { isWhole: false }))).toEqual(['a|b'])
  expect(parse('a,b\n1,2\n3\n', { isWhole: false }).result).toMatchObject({
    rowCount: 3,
    unevenRows: [2],
    isCut: true,
  })
})

test('pasting adds rows at the end if the sheet has too few', async () => {
  const sheet = open('a,b\n1,2\n')
  pasteTexts(sheet, cellAt(1, 0), [['3'], ['4']])
  expect(await bytesOf(sheet)).toBe('a,b\n3,2\n4,\n')
})

test('DP-237 DP-238 a column is 8 px wide per character plus 40, from 80 to 600', () => {
  expect([10, 0, 5, 6, 70, 71].map(columnWidth)).toEqual([120, 80, 80, 88, 600, 600])
})

test('DP-239 large mode starts when rows fill more than 80% of the window', () => {
  // A row has 32 px: 25 rows fill 800 px.
  expect(isLarge(25, 1000)).toBe(false)
  expect(isLarge(26, 1000)).toBe(true)
})

test('binary content and an unclosed quote are not a table', () => {
  expect(parse(new Uint8Array([1, 0, 2, 0, 0, 0])).result).toBe('binary')
  expect(parse('a,"b\nc,d\n').result).toBe('unclosed')
})

test('a save preserves quotes, line endings and byte order mark of unchanged cells', async () => {
  const text = '\ufeff\r\n"a";b\r\n"1;5";2\r"x""y"; z\n\n5;"6"'
  const sheet = open(text)
  expect(rowsOf(sheet)).toEqual(['a|b', '1;5|2', 'x"y| z', '5|6'])
  expect(await bytesOf(sheet)).toBe(text)
  sheet.setCells([
    { row: 1, column: 1, value: 'n;w' },
    { row: 3, column: 1, value: '7' },
  ])
  expect(await bytesOf(sheet)).toBe('\ufeff\r\n"a";b\r\n"1;5";"n;w"\r"x""y"; z\n\n5;"7"')
  sheet.undo()
  expect(await bytesOf(sheet)).toBe(text)
  expect(sheet.isChanged).toBe(false)
})

test('rows and columns are inserted, deleted and sorted, and each step can be undone and redone', async () => {
  const text = 'name,n\nb,10\na,9\nc,'
  const sheet = open(text)
  const states = [await bytesOf(sheet)]
  const step = async (change: () => void, expected: string) => {
    change()
    expect(await bytesOf(sheet)).toBe(expected)
    states.push(expected)
  }
  await step(() => sheet.sort(1, false, 1), 'name,n\na,9\nb,10\nc,')
  await step(() => sheet.sort(0, true, 1), 'name,n\nc,\nb,10\na,9\n')
  await step(() => sheet.insertRows(1), 'name,n\n,\nc,\nb,10\na,9\n')
  await step(() => sheet.insertColumn(1), 'name,,n\n,,\nc,,\nb,,10\na,,9\n')
  expect(sheet.columnCount).toBe(3)
  await step(() => sheet.deleteColumns(0, 2), 'n\n""\n""\n10\n9\n')
  expect(sheet.columnCount).toBe(1)
  await step(() => sheet.deleteRows(1, 2), 'n\n10\n9\n')
  for (const state of states.slice(0, -1).toReversed()) {
    sheet.undo()
    expect(await bytesOf(sheet)).toBe(state)
  }
  expect([sheet.columnCount, sheet.canUndo]).toEqual([2, false])
  for (const state of states.slice(1)) {
    sheet.redo()
    expect(await bytesOf(sheet)).toBe(state)
  }
})

test('find and replace ignore case and treat patterns as text', async () => {
  const sheet = open('a,b\nCat.,cat\n"dog, cat",x\n')
  expect(sheet.find('CAT', { row: 0, column: 0 })).toEqual({ row: 1, column: 0 })
  expect(sheet.find('cat', { row: 2, column: 0 })).toEqual({ row: 1, column: 0 })
  expect(sheet.find('cow', { row: 0, column: 0 })).toBe(undefined)
  expect(sheet.replaceAll('cat.', '$&')).toBe(1)
  expect(sheet.replaceAll('cat', 'cow')).toBe(2)
  expect(await bytesOf(sheet)).toBe('a,b\n$&,cow\n"dog, cow",x\n')
})

test('cells are copied and pasted in the clipboard format of spreadsheets', () => {
  const cells = [
    ['a', 'b\tc'],
    ['line\nbreak', '"q"'],
  ]
  expect(fromClipboard(toClipboard(cells))).toEqual(cells)
  expect(fromClipboard('1\t2\r\n3\t4\r\n')).toEqual([
    ['1', '2'],
    ['3', '4'],
  ])
  expect(fromClipboard('"a"b\tc')).toEqual([['"a"b', 'c']])
})

test('texts in other encodings are displayed; formulas remain text', () => {
  expect(rowsOf(open(Uint8Array.from([0x61, 0x3b, 0xe9, 0x0a])))).toEqual(['a|é'])
  expect(rowsOf(open(Uint8Array.from([0xff, 0xfe, 0x61, 0, 0x2c, 0, 0x62, 0])))).toEqual(['a|b'])
  expect(rowsOf(open('=cmd(),@SUM\n'))).toEqual(['=cmd()|@SUM'])
})
