import { describe, expect, test } from 'vitest'
import { CsvError, CsvReader, parseCsv, type CsvReaderOptions } from './csv-reader.ts'

/** Reads text in pieces of the given size. */
function readInPieces(text: string, size: number, options?: CsvReaderOptions): string[][] {
  const rows: string[][] = []
  const reader = new CsvReader((row) => void rows.push(row), options)
  for (let at = 0; at < text.length; at += size) reader.push(text.slice(at, at + size))
  reader.end()
  return rows
}

describe('parseCsv', () => {
  test('reads quotes, line endings of all kinds, empty cells and a byte order mark', () => {
    expect(parseCsv('\ufeffa,b\r\n"x, ""y""\nz",\n1,2\r3,4')).toEqual([
      ['a', 'b'],
      ['x, "y"\nz', ''],
      ['1', '2'],
      ['3', '4'],
    ])
    expect(parseCsv('')).toEqual([])
    expect(parseCsv('\n\n')).toEqual([])
    expect(parseCsv('a,')).toEqual([['a', '']])
  })

  test('drops empty lines, or returns them as rows of one empty cell', () => {
    expect(parseCsv('a\n\n,\n')).toEqual([['a'], ['', '']])
    expect(parseCsv('a\n\n,\n', { keepsEmptyLines: true })).toEqual([['a'], [''], ['', '']])
  })

  test('accepts another separator', () => {
    expect(parseCsv('a;"b;c";1,5', { separator: ';' })).toEqual([['a', 'b;c', '1,5']])
  })

  test.each([
    ['a\n\n"open', 'A quote in row 3 is never closed. Add the closing quote.'],
    [
      '"a"b,c',
      'There is text after a closing quote in row 1. Remove it, or double the quotes within the cell.',
    ],
    [
      'x\n"a" ,b',
      'There is text after a closing quote in row 2. Remove it, or double the quotes within the cell.',
    ],
  ])('rejects %j', (text, message) => {
    expect(() => parseCsv(text)).toThrow(CsvError)
    expect(() => parseCsv(text)).toThrow(message)
  })
})

describe('CsvReader', () => {
  const pieces = ['"', '""', ',', '\n', '\r\n', '\r', 'a', ' ', 'é', '"x,\r\n""y"""']
  const texts = ['\ufeffa,b\r\n1,2\r\n', 'a\r\rb\r\n\n', '"",""\r\n""', 'a,\n', ',', '\n']
  let state = 1
  const random = (limit: number) => (state = (state * 48_271) % 2_147_483_647) % limit
  while (texts.length < 400)
    texts.push(Array.from({ length: 1 + random(9) }, () => pieces[random(pieces.length)]!).join(''))

  test('reads the same rows or reports the same error for any piece size', () => {
    const outcome = (read: () => string[][]) => {
      try {
        return read()
      } catch (error) {
        return (error as CsvError).message
      }
    }
    let faults = 0
    for (const text of texts) {
      const whole = outcome(() => parseCsv(text, { keepsEmptyLines: true }))
      if (typeof whole === 'string') faults++
      for (const size of [1, 2, 3, 5])
        expect(
          outcome(() => readInPieces(text, size)),
          JSON.stringify(text),
        ).toEqual(whole)
    }
    expect(faults).toBeGreaterThan(50)
    expect(faults).toBeLessThan(350)
  })

  test.each([
    ['a\n' + 'b'.repeat(51) + '\nc', true],
    ['a\n' + 'b'.repeat(51), true],
    ['a\n"' + 'b'.repeat(49) + '"\nc', true],
    ['a\n"' + 'b'.repeat(49) + '" x', true],
    ['a\n' + 'b'.repeat(50) + '\r\nc', false],
    ['a\n"' + 'b'.repeat(48) + '"\r\nc', false],
  ])('limits the characters of a cell in pieces of any size: %j', (text, isTooLong) => {
    for (const size of [1, 2, 10, 51, 52, 53, text.length]) {
      const read = () => readInPieces(text, size, { maxCellLength: 50 })
      if (isTooLong) expect(read, String(size)).toThrow('A cell in row 2 has more than 50 characters.')
      else expect(read(), String(size)).toHaveLength(3)
    }
  })

  test('stops when the callback returns false, and ignores later errors in the text', () => {
    const rows: string[][] = []
    const reader = new CsvReader((row) => rows.push(row) < 2)
    reader.push('1\n2\n3\n"4" fault')
    reader.push('"5" fault')
    reader.end()
    expect(rows).toEqual([['1'], ['2']])
  })

  test('rejects a cell that is too long before it is complete', () => {
    expect(readInPieces(`a\n${'b'.repeat(50)}`, 10, { maxCellLength: 50 })).toHaveLength(2)
    const reader = new CsvReader(() => undefined, { maxCellLength: 50 })
    reader.push('a\n"')
    expect(() => reader.push('b,\n'.repeat(20))).toThrow(
      'A cell in row 2 has more than 50 characters. Shorten it, or add its closing quote if that is missing.',
    )
  })
})
