import { describe, expect, test } from 'vitest'
import { CsvError, parseCsv } from './csv.ts'

describe('parseCsv', () => {
  test('reads quotes, line ends of all kinds, empty cells and a byte order mark', () => {
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
  test.each(['a\n"open', '"a"b,c', '"a" ,b'])('%j is no CSV', (text) => {
    expect(() => parseCsv(text)).toThrow(CsvError)
  })
})
