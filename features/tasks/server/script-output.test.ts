import { expect, test } from 'vitest'
import { ScriptOutput } from './script-output.ts'

const token = 'abcabdabcabe'

function outputOf(...pieces: string[]): ScriptOutput {
  const output = new ScriptOutput([{ secret: token, placeholder: '[token]' }])
  for (const piece of pieces) output.write(piece, 'stdout')
  return output
}

function wholeOf(...pieces: string[]): string {
  const output = outputOf(...pieces)
  output.end()
  return output.toString()
}

test('short output is returned completely', () => {
  expect(wholeOf()).toBe('')
  expect(wholeOf('one\n\nthree\n')).toBe('one\n\nthree')
  expect(wholeOf('o', 'ne\r', '\n', '\nthr', 'ee')).toBe('one\n\nthree')
})

test('long output is reduced to the last lines and the number of lines before them', () => {
  const lines = Array.from({ length: 1203 }, (_, index) => `line ${index + 1}`)
  const lastLines = wholeOf(lines.join('\n')).split('\n')
  expect(lastLines[0]).toBe('… 1,003 lines before')
  expect(lastLines.slice(1)).toEqual(lines.slice(-200))
  expect(wholeOf(`${'x'.repeat(5000)}\n${'y'.repeat(5000)}\n`)).toBe(`… 1 line before\n${'y'.repeat(5000)}`)
})

test('a long line is reduced to its beginning and the number of omitted characters', () => {
  const beginning = 'z'.repeat(8000)
  expect(wholeOf(`${beginning}\n`)).toBe(beginning)
  expect(wholeOf(`${beginning}y\n`)).toBe(`${beginning} … 1 more character`)
  expect(wholeOf('x\n', ...Array.from({ length: 100 }, () => 'z'.repeat(1000)), '\nend\n')).toBe(
    '… 2 lines before\nend',
  )
  expect(wholeOf('x\n', 'z'.repeat(100_000))).toBe(`… 1 line before\n${beginning} … 92,000 more characters`)
  expect(wholeOf('z'.repeat(7999), '😀', 'end')).toBe(`${'z'.repeat(7999)} … 5 more characters`)
})

test('unfinished lines are visible; a carriage return replaces the line', () => {
  const output = outputOf('one\nwaits for')
  output.write('bad', 'stderr')
  expect(output.toString()).toBe('one\nwaits for\nbad')
  output.write(' two\n', 'stdout')
  expect(output.toString()).toBe('one\nwaits for two\nbad')
  for (const pieces of [
    ['\r10 %', '\r20 %'],
    ['10 %\r', '20 %\r'],
    ['10 %\r\r20', ' %\r\r'],
  ])
    expect(outputOf(...pieces).toString()).toBe('20 %')
  expect(outputOf('10 %\r', '\ndone\n').toString()).toBe('10 %\ndone')
  expect(outputOf('x'.repeat(9000), '\rshort').toString()).toBe('short')
})

test('the run token is redacted, however the stream is split', () => {
  const text = `${'x'.repeat(7990)}${token}, ${token}${token} and abcab\n${token.slice(0, -1)}\n`
  const expected = `… 1 line before\nabcabdabcab`
  for (const size of [1, 2, 5, 7, 8000, 20_000]) {
    const pieces: string[] = []
    for (let start = 0; start < text.length; start += size) pieces.push(text.slice(start, start + size))
    expect(wholeOf(...pieces)).toBe(expected)
    const output = new ScriptOutput([{ secret: token, placeholder: '[token]' }])
    for (const piece of pieces) {
      output.write(piece, 'stderr')
      expect(output.toString()).not.toContain(token)
    }
  }
  expect(wholeOf(`{'A': '${token}', 'B': 'abcabdabcabdabcabe'}\n`)).toBe(
    "{'A': '[token]', 'B': 'abcabd[token]'}",
  )
  expect(outputOf('token=', token.slice(0, 5)).toString()).toBe('token=')
  expect(wholeOf('token=', token.slice(0, 5))).toBe('token=abcab')
  expect(new ScriptOutput([{ secret: token, placeholder: '[token]' }]).hide(`ValueError: ${token}`)).toBe(
    'ValueError: [token]',
  )
})

test('the run token is redacted even if it contains zero bytes; zero bytes are dropped', () => {
  const wide = token.split('').join('\u0000')
  expect(wholeOf(`a ${wide}\u0000 b\u0000\n`)).toBe('a [token] b')
  expect(wholeOf(...`a ${wide} b\n`.split(''))).toBe('a [token] b')
  expect(outputOf(token.slice(0, 5), '\u0000', token.slice(5)).toString()).toBe('[token]')
  expect(
    new ScriptOutput([{ secret: token, placeholder: '[token]' }]).hide(`ValueError: ${wide}\u0000`),
  ).toBe('ValueError: [token]')
})

test('millions of lines, carriage returns or characters are processed without delay', () => {
  const output = outputOf('\n'.repeat(2_000_000), '\r'.repeat(2_000_000), 'x'.repeat(2_000_000))
  expect(output.toString()).toBe(`… 2,000,000 lines before\n${'x'.repeat(8000)} … 1,992,000 more characters`)
})
