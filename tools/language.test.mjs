import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { countUses, findRises, findUses, lowered } from './language.mjs'

const baseline = JSON.parse(
  readFileSync(fileURLToPath(new URL('./language-baseline.json', import.meta.url)), 'utf8'),
)

test('no replaced term is used more often than the baseline allows', () => {
  expect(findRises(countUses(findUses()), baseline)).toEqual([])
})

/** Returns the phrases that are found in one file. */
function phrasesIn(path, content) {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-language-'))
  try {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
    return findUses(folder).map(({ line, text }) => `${line} ${text}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test.each([
  ['an identifier', 'a.ts', 'const seriesAnswer = load()', ['1 seriesAnswer']],
  ['a part of an identifier', 'a.ts', 'loadAskedSymbols(1)', ['1 loadAskedSymbols']],
  ['a file name', 'features/a/kept-scroll.ts', '', ['1 kept']],
  ['a comment', 'a.ts', '// Takes the answer of the engine.', ['1 the answer']],
  ['a docstring of several lines', 'a.ts', '/**\n * Reads what is\n * shown.\n */', ['2 what is shown']],
  ['a string', 'a.ts', "throw new Error('Who may do this was not said.')", ['1 Who may']],
  ['a test title', 'a.test.ts', "test('a full disk is told in words', () => {})", ['1 in words', '1 told']],
  ['the text of a template', 'a.ts', 'const text = `${a} is kept`', ['1 is kept']],
  ['code in a template', 'a.ts', 'const text = `${kept}`', ['1 kept']],
  ['text between JSX tags', 'a.tsx', '<p>No doors here</p>', ['1 doors']],
  ['a document', 'a.md', 'The answer comes later.', ['1 The answer']],
])('finds a replaced term in %s', (_where, path, content, expected) => {
  expect(phrasesIn(path, content).toSorted()).toEqual(expected.toSorted())
})

test.each([
  [
    'ordinary English',
    'a.md',
    'Keep the list sorted. Nothing was found. At the moment there is room for more. The server answers 404.',
  ],
  [
    'verbs that stay',
    'a.ts',
    '// Lists are kept sorted; the user is asked to confirm. Ends with a question mark.',
  ],
  [
    'parts of other names',
    'a.ts',
    'replaceAll(placeholder, password, keyword, notFound, Math.floor(decimalPlaces))',
  ],
  ['import paths, which count as file names', 'a.ts', "import { a } from './kept-scroll.ts'"],
  ['code in a document', 'a.md', 'Call `loadAnswer`.\n\n```ts\nconst answer = 1\n```'],
  ['regular expressions', 'a.ts', 'const pattern = /[\'`"]told/\nconst next = 1'],
  [
    'texts fixed by the specification',
    'a.ts',
    "const text = 'No file found at the moment of task execution.'",
  ],
])('accepts %s', (_what, path, content) => {
  expect(phrasesIn(path, content)).toEqual([])
})

test('reports a count that rises, but not one that falls', () => {
  const before = { kit: { answer: 2, kept: 1 } }
  expect(findRises({ kit: { answer: 2 } }, before)).toEqual([])
  expect(findRises({ kit: { answer: 3 } }, before)).toEqual([
    { folder: 'kit', term: 'answer', count: 3, allowed: 2 },
  ])
  expect(findRises({ apps: { kept: 1 } }, before)).toEqual([
    { folder: 'apps', term: 'kept', count: 1, allowed: 0 },
  ])
})

test('an update lowers counts and never raises one', () => {
  const before = { kit: { answer: 2, kept: 1 }, apps: { told: 1 } }
  expect(lowered(before, { kit: { answer: 3, kept: 0 }, bench: { word: 1 } })).toEqual({ kit: { answer: 2 } })
})
