import { expect, test } from 'vitest'
import { CsvRowIndex } from './row-index.ts'
import { parseCsv } from './csv-reader.ts'

function indexOf(bytes: Uint8Array, size = bytes.length, separator = ','): CsvRowIndex {
  const index = new CsvRowIndex(separator)
  for (let at = 0; at < bytes.length; at += size) index.add(bytes.subarray(at, at + size))
  index.end()
  return index
}

function rowsOf(bytes: Uint8Array, index: CsvRowIndex, separator = ','): string[][] {
  return Array.from({ length: index.rowCount }, (_, row) => {
    const { start, end } = index.rangeOf(row)
    const text = new TextDecoder().decode(bytes.subarray(start, end))
    return parseCsv(text, { separator, keepsEmptyLines: true })[0] ?? ['']
  })
}

const encode = (text: string) => new TextEncoder().encode(text)

test('finds the same rows as the reader of complete texts, for chunks of any size', () => {
  const pieces = ['"a,\r\n""b"""', ',', '\n', '\r\n', '\r', 'é', ' x"y ', '""']
  let state = 7
  const random = (limit: number) => (state = (state * 48_271) % 2_147_483_647) % limit
  let compared = 0
  for (let round = 0; round < 600; round++) {
    const text = Array.from({ length: 1 + random(9) }, () => pieces[random(pieces.length)]!).join('')
    let expected: string[][]
    try {
      expected = parseCsv(text)
    } catch {
      continue
    }
    compared++
    const bytes = encode(text)
    for (const size of [1, 3, 100]) {
      // Only the index distinguishes a quoted empty cell from an empty line.
      const rows = rowsOf(bytes, indexOf(bytes, size)).filter((row) => row.length > 1 || row[0] !== '')
      expect(rows, JSON.stringify(text)).toEqual(expected)
    }
  }
  expect(compared).toBeGreaterThan(200)
})

test('skips a byte order mark, and counts rows with a different number of cells', () => {
  const bytes = encode('\ufeffa;b\n1\n"2;x";3;4\n5;6\n')
  const index = indexOf(bytes, undefined, ';')
  expect(rowsOf(bytes, index, ';')).toEqual([['a', 'b'], ['1'], ['2;x', '3', '4'], ['5', '6']])
  expect(index).toMatchObject({
    rowCount: 4,
    columnCount: 2,
    unevenCount: 2,
    unevenRows: [1, 2],
    isUnclosed: false,
  })
  expect(() => index.rangeOf(4)).toThrow(RangeError)
})

test('indexes an unclosed quote, 10,000 columns, a cell of 50 MB and a million rows', () => {
  expect(indexOf(encode('a\n"b\nc'))).toMatchObject({ rowCount: 2, isUnclosed: true })
  expect(indexOf(encode(`${','.repeat(9_999)}\n`)).columnCount).toBe(10_000)
  const large = encode(`a\n"${'x\n'.repeat(25_000_000)}"\nb`)
  const index = indexOf(large, 65_536)
  expect(index.rowCount).toBe(3)
  expect(index.rangeOf(2)).toEqual({ start: large.length - 1, end: large.length })
  const many = indexOf(encode('1,2\n'.repeat(1_000_000)), 65_536)
  expect(many.rowCount).toBe(1_000_000)
  expect(many.rangeOf(999_999)).toEqual({ start: 3_999_996, end: 3_999_999 })
})

test('lists at most 1,000 rows with a different number of cells, and counts all', () => {
  const index = indexOf(encode(`a,b\n${'1\n'.repeat(1500)}`))
  expect(index.unevenRows).toHaveLength(1000)
  expect(index.unevenCount).toBe(1500)
})

test('rows beyond a limit are not indexed and not counted', () => {
  const index = new CsvRowIndex(',', 2)
  index.add(encode('a,b\n1,2\n'))
  expect(index.isCut).toBe(false)
  index.add(encode('3\n4,5,6,7\n'))
  index.end()
  expect(index).toMatchObject({
    rowCount: 2,
    widestCount: 2,
    lastCount: 2,
    unevenCount: 0,
    unevenRows: [],
    isCut: true,
  })
})
