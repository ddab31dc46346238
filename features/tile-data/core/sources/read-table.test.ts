import { describe, expect, test } from 'vitest'
import type { SeriesResultError } from '../series/series-result.ts'
import { readTable, readTableText } from './read-table.ts'

const bytes = (...parts: (string | number[])[]) =>
  new Blob(parts.map((part) => (typeof part === 'string' ? part : new Uint8Array(part))))

function errorOf(text: string): SeriesResultError {
  try {
    readTableText(text)
  } catch (error) {
    return error as SeriesResultError
  }
  throw new Error('It was read.')
}

describe('separators and quotes', () => {
  test.each([
    ['a,b\n1,2\n', ','],
    ['a;b\n1;2\n', ';'],
    ['a\tb\r\n1\t2\r\n', 'tab'],
    ['a|b\r1|2\r', '|'],
    ['"a, b, c";b\n1;2', 'a semicolon behind quoted commas'],
  ])('detects the separator of %j: %s', (text) => {
    const { header, rows } = readTableText(text)
    expect(header).toHaveLength(2)
    expect(rows).toEqual([['1', '2']])
  })

  test('quoted cells can contain separators, line endings and quotes; empty lines are skipped', () => {
    expect(readTableText('a,b\n\n"1,\n2","say ""hi"""\n3,\n').rows).toEqual([
      ['1,\n2', 'say "hi"'],
      ['3', ''],
    ])
  })
})

test('an empty last cell counts, even at the end of the text', () => {
  expect(readTableText('a,b\n1,').rows).toEqual([['1', '']])
  expect(readTableText('a,b\n,').rows).toEqual([['', '']])
})

test('a row that ends with a separator has an empty last cell, even at the end of the file', async () => {
  expect(readTableText('a,b\n1,').rows).toEqual([['1', '']])
  expect((await readTable(bytes('a,b\n1,'))).rows).toEqual([['1', '']])
})

describe('encodings', () => {
  test('the byte order mark of UTF-8 and UTF-16 is dropped', async () => {
    const expected = { header: ['é'], rows: [['1']] }
    expect(await readTable(bytes([0xef, 0xbb, 0xbf], 'é\n1'))).toMatchObject(expected)
    expect(await readTable(bytes([0xff, 0xfe, 0xe9, 0, 10, 0, 0x31, 0]))).toMatchObject(expected)
    expect(await readTable(bytes([0xfe, 0xff, 0, 0xe9, 0, 10, 0, 0x31]))).toMatchObject(expected)
  })
})

describe('damaged files', () => {
  test('IN-348 drops an incomplete last row', () => {
    expect(readTableText('a,b\n1,2\n3').rows).toEqual([['1', '2']])
    expect(readTableText('a,b\n1,2\n3,4,5\n').rows).toEqual([['1', '2']])
  })

  test.each([
    ['a,b\n1\n3,4\n', 'Row 2 has 1 cell, but the header has 2.'],
    ['a,b\n1,2\n3,4,5\n6,7\n', 'Row 3 has 3 cells, but the header has 2.'],
    ['a,b\n"1,2\n', 'A quote in row 2 is never closed. Add the closing quote.'],
    [
      'a,b\n"1"x,2\n',
      'There is text after a closing quote in row 2. Remove it, or double the quotes within the cell.',
    ],
  ])('IN-349 IN-351 %j is not CSV; the error names the row', (text, detail) => {
    expect(errorOf(text)).toMatchObject({ message: 'CSV file can not be parsed.', quiet: false, detail })
  })

  test('IN-350 an empty file has no rows', () => {
    expect(readTableText('')).toEqual({ header: [], rows: [], limited: false, columns: [] })
    expect(readTableText('\ufeff').rows).toEqual([])
  })

  test('IN-352 IN-353 a single row of status and message is a server error, marked as quiet for status 400', () => {
    expect(errorOf('status,message\n400,Too much')).toMatchObject({ message: 'Too much', quiet: true })
    expect(errorOf('message;status\nGone;500')).toMatchObject({ message: 'Gone', quiet: false })
  })
})

describe('large files', () => {
  const line = (row: number) => `${row},"text, ${row}"\r\n`
  const large = Array.from({ length: 60_000 }, (_, row) => line(row)).join('')

  test('are read in slices without loss, and yield to the page', async () => {
    let ticks = 0
    const timer = setInterval(() => ticks++)
    const { rows, limited } = await readTable(bytes('id,text\r\n', large))
    clearInterval(timer)
    expect(rows).toHaveLength(60_000)
    expect(rows.every(([id, text], row) => id === String(row) && text === `text, ${row}`)).toBe(true)
    expect(limited).toBe(false)
    expect(ticks).toBeGreaterThan(0)
  })

  test('IN-357 the limit of a preview is 100,000 rows; a longer file is marked as limited', async () => {
    const lines = (count: number) => `id\n${'1\n'.repeat(count)}`
    for (const read of [(text: string) => readTable(bytes(text)), readTableText]) {
      expect((await read(lines(100_000))).limited).toBe(false)
      const cut = await read(lines(100_001))
      expect([cut.rows.length, cut.limited]).toEqual([100_000, true])
    }
    const { rows, limited } = await readTable(bytes('id,text\r\n', large), { limit: 100 })
    expect(rows).toHaveLength(100)
    expect(limited).toBe(true)
    expect(readTableText('a\n1\n2', 2).limited).toBe(false)
  })

  test('are not read beyond the limit', async () => {
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled++
        controller.enqueue(new TextEncoder().encode(pulled === 1 ? 'id\n' : '1\n'.repeat(1000)))
      },
    })
    expect((await readTable(endless, { limit: 5000 })).limited).toBe(true)
    expect(pulled).toBeLessThan(20)
  })

  test('stop when aborted', async () => {
    await expect(readTable(bytes('a\n', large), { signal: AbortSignal.abort() })).rejects.toThrow()
  })
})

describe('types of columns', () => {
  const kinds = (text: string) => readTableText(text).columns!.map(({ name, kind }) => [name, kind])

  test('are derived from the cells of a plain file', () => {
    expect(kinds('n,d,t,e\n-1.5,2026-01-31,x,\n1e3,2026-01-31T10:00:00Z,2,\n,,,\n')).toEqual([
      ['n', 'number'],
      ['d', 'time'],
      ['t', 'text'],
      ['e', 'text'],
    ])
  })

  test('are derived from the header of an NCSV file', () => {
    expect(kinds('Code,Date,Close,Note(S),Unit(MD-S),Due(D)\nB,2026-01-01,1,5,USD,2026-01-01')).toEqual([
      ['Code', 'symbol'],
      ['Date', 'time'],
      ['Close', 'number'],
      ['Note', 'text'],
      ['Unit', 'text'],
      ['Due', 'time'],
    ])
  })
})
