import { expect, test } from 'vitest'
import { isPlainLine, objectName } from './name.ts'

const name = objectName('an insight')

function problemOf(text: unknown): string | undefined {
  return name.safeParse(text).error?.issues[0]?.message
}

test('trims and composes a name, and preserves letters of all scripts, marks and emoji', () => {
  expect(name.parse('  Cafe\u0301  ')).toBe('Caf\u00e9')
  // Persian with a zero-width non-joiner, Hindi with a zero-width joiner, and emoji sequences: a family, a keycap and
  // the flag of Scotland; a kanji variant.
  for (const text of [
    'A & B, 50 % (€)',
    'می\u200cخواهم',
    'क्\u200dष',
    '👩\u200d👩\u200d👧',
    '1\ufe0f\u20e3 heat',
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    '辻\u{e0100}',
    'a.b',
  ])
    expect(name.parse(text)).toBe(text.normalize('NFC'))
})

test('rejects a name with the reason and what is allowed', () => {
  expect(problemOf(undefined)).toBe('An insight needs a name.')
  expect(problemOf(' \t ')).toBe('An insight needs a name.')
  expect(problemOf('a\nb')).toBe("Insight names can't contain line breaks or control characters.")
  expect(problemOf('a\u0085b')).toBe("Insight names can't contain line breaks or control characters.")
  expect(problemOf('a/b')).toBe("Insight names can't contain / or \\.")
  expect(problemOf('a\\b')).toBe("Insight names can't contain / or \\.")
  expect(problemOf('...')).toBe("Insight names can't consist of dots only.")
  expect(problemOf('x'.repeat(201))).toBe('The name of an insight can have at most 200 characters.')
  expect(problemOf('😀'.repeat(200))).toBeUndefined()
})

test('rejects invisible characters, so that names that look equal are equal', () => {
  for (const unseen of [
    '\u00ad',
    '\u034f',
    '\u061c',
    '\u200b',
    '\u200e',
    '\u202e',
    '\u2060',
    '\u2069',
    '\u3164',
    '\ufeff',
    '\ufffa',
  ])
    expect(problemOf(`pri${unseen}ces`), escape(unseen)).toMatch(
      /invisible characters\. Type the name again\.$/,
    )
  for (const idle of ['pri\u200dces', 'prices\u200c', '\ufe0fprices', 'prices\ufe0f', '价\u200d prices'])
    expect(problemOf(idle), escape(idle)).toMatch(/invisible/)
  expect(problemOf('half \ud83d')).toMatch(/invisible/)
})

test('rejects Windows device names, with any extension', () => {
  for (const device of ['CON', 'nul', 'Aux.json', 'com1', 'LPT9.tar.gz', 'COM²', 'prn .csv', 'CONOUT$'])
    expect(problemOf(device), device).toBe(
      "Insight names can't be device names of Windows such as CON, NUL or COM1.",
    )
  for (const other of ['Console', 'com', 'COM10', 'null', 'my con', 'con-1', 'aux_1.csv'])
    expect(problemOf(other), other).toBeUndefined()
})

test('a plain line contains no control characters and none that change the text direction', () => {
  for (const text of ['', 'Oil & gas', 'مرحبا', 'می\u200cخواهم', '👩\u200d👧'])
    expect(isPlainLine(text), text).toBe(true)
  for (const mark of '\u0000\n\u0085\u2028\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069')
    expect(isPlainLine(`a${mark}b`), escape(mark)).toBe(false)
  expect(isPlainLine('half \ud83d')).toBe(false)
})

test('applies additional limits and a custom preparation', () => {
  const file = objectName('a task', { max: 5, refused: '=', read: (text) => text.replace(/\.json$/, '') })
  expect(file.parse('abc .json')).toBe('abc')
  expect(file.safeParse('a=b').error?.issues[0]?.message).toBe("Task names can't contain /, \\ or =.")
  expect(file.safeParse('abcdef').error?.issues[0]?.message).toBe(
    'The name of a task can have at most 5 characters.',
  )
})
