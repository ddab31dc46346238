import { expect, test } from 'vitest'
import { FormulaEscaper } from './formula-escaper.ts'

/** Escapes text in chunks; columns whose name ends with S are text. */
function escape(text: string, size = text.length): string {
  const escaper = new FormulaEscaper((header) => header.map((name) => name.endsWith('S')))
  let result = ''
  for (let at = 0; at < text.length; at += Math.max(1, size)) result += escaper.add(text.slice(at, at + size))
  return result + escaper.end()
}

const text =
  'S,"=N",T S\n=cmd|,-5,"=1+""x"""\r\n+1,-1.5,\n"@a\nb","-7","\t=2"\n"a=1",=1,"""=3"""\r"-","+", =4\n"\r\n",,@\n'
const escaped =
  'S,\'=N,T S\n\'=cmd|,-5,"\'=1+""x"""\r\n\'+1,-1.5,\n"\'@a\nb","-7","\'\t=2"\n"a=1",=1,"""=3"""\r"\'-","+", =4\n"\'\r\n",,\'@\n'

test('escapes text cells that a spreadsheet would run, and nothing else, in chunks of any size', () => {
  for (const size of [1, 2, 3, 7, text.length]) expect(escape(text, size)).toBe(escaped)
})

test('a quote inside a header name does not open a quoted cell', () => {
  const rows = 'Rohr 5",S\n1,=2\n3,"x\n=y"\n'
  for (const size of [1, 5, rows.length]) expect(escape(rows, size)).toBe('"Rohr 5""",S\n1,\'=2\n3,"x\n=y"\n')
})

test('accepts a file that ends within the header or without a line break', () => {
  expect(escape('')).toBe('')
  expect(escape('=A,S')).toBe("'=A,S")
  expect(escape('S\n=1')).toBe("S\n'=1")
  expect(escape('S\n"=1')).toBe('S\n"\'=1')
})
