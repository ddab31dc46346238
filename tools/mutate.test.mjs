import { spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { runInThisContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyMutant, countRegions, findMutants } from './mutation/mutants.mjs'
import { scoreOf } from './mutation/run-mutants.mjs'

const projectFolder = fileURLToPath(new URL('..', import.meta.url))

const fixture = {
  'packages/tiny/package.json':
    '{ "name": "@tiny/tiny", "type": "module", "exports": { ".": "./src/age.ts" } }',
  'packages/tiny/src/age.ts': [
    'export function isAdult(age: number): boolean {',
    '  return age >= 18',
    '}',
    'export function forgotten(): boolean {',
    '  return true',
    '}',
    '',
  ].join('\n'),
  'packages/tiny/src/sum.ts': [
    'export function sumTo(limit: number): number {',
    '  let sum = 0',
    '  for (let next = 1; next <= limit; next++) sum += next',
    '  return sum',
    '}',
    '',
  ].join('\n'),
  'packages/tiny/src/age.test.ts': [
    `import { expect, test } from 'vitest'`,
    `import { isAdult } from './age.ts'`,
    `import { sumTo } from './sum.ts'`,
    `test('adults', () => expect([isAdult(30), isAdult(3)]).toEqual([true, false]))`,
    `test('sums', () => expect(sumTo(3)).toBe(6))`,
    '',
  ].join('\n'),
}

describe('a small project', () => {
  let folder
  let root
  let temporary

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'mutate-test-'))
    root = join(folder, 'project')
    temporary = join(folder, 'temporary')
    mkdirSync(temporary)
    for (const [path, text] of Object.entries(fixture)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    symlinkSync(join(projectFolder, 'node_modules'), join(root, 'node_modules'), 'junction')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  function start(args) {
    const { NODE_OPTIONS: _, ...env } = process.env
    const program = join(projectFolder, 'tools', 'mutate.mjs')
    const child = spawn(process.execPath, [program, '--root', root, ...args], {
      cwd: root,
      env: { ...env, TMPDIR: temporary },
    })
    let output = ''
    const onText = (chunk) => (output += chunk)
    child.stdout.on('data', onText)
    child.stderr.on('data', onText)
    const ended = new Promise((resolve) => child.once('close', (code) => resolve({ code, output })))
    return { child, ended }
  }

  /** Every file of the project with its text; linked modules are not part of the project. */
  function snapshot() {
    const names = readdirSync(root, { recursive: true }).filter((name) => !name.startsWith('node_modules'))
    return names
      .toSorted((a, b) => a.localeCompare(b))
      .map((name) => (/\.\w+$/.test(name) ? `${name}\n${readFileSync(join(root, name), 'utf8')}` : name))
  }

  test('distinguishes killed, surviving, endless and uncovered mutants, and leaves nothing behind', async () => {
    const before = snapshot()
    const { code, output } = await start(['--files', 'packages/tiny/src', '--verbose']).ended
    const file = 'packages/tiny/src/age.ts'
    const endless = 'packages/tiny/src/sum.ts:3 next++ → next--'
    expect(output).toContain(`killed ${file}:2 age >= 18 → age < 18`)
    expect(output).toContain(`survived ${file}:2 age >= 18 → age > 18`)
    expect(output).toContain(`timeout ${endless}`)
    expect(output).toContain(`not covered ${file}:5 true → false`)
    expect(output).toMatch(
      /packages\/tiny: score \d+% of \d+ mutants \(\d+ killed, 1 timed out, 4 survived, 2 not covered/,
    )
    expect(output.trimEnd().split('\n').at(-1)).toMatch(/^Mutation: seed 1, 2 files, score \d+% of/)
    expect(code).toBe(0)
    expect(snapshot()).toEqual(before)
    expect(readdirSync(temporary)).toEqual([])
  })

  test('leaves nothing behind when it is stopped during a mutant', async () => {
    const before = snapshot()
    const { child, ended } = start(['--files', 'packages/tiny/src', '--verbose'])
    child.stdout.on('data', (chunk) => {
      if (/^1\/\d+ /m.test(String(chunk))) child.kill('SIGTERM')
    })
    expect((await ended).code).toBe(130)
    expect(snapshot()).toEqual(before)
    expect(readdirSync(temporary).filter((name) => name.startsWith('headwater-mutation-'))).toEqual([])
  })

  test('the same seed selects the same sample, and missing the minimum fails the run', async () => {
    const args = ['--files', 'packages/tiny/src/age.ts', '--sample', '3', '--verbose', '--minimum', '100']
    const [first, second] = [
      await start([...args, '--seed', '2']).ended,
      await start([...args, '--seed', '2']).ended,
    ]
    const mutants = ({ output }) => output.split('\n').filter((line) => /^\d\/3 /.test(line))
    expect(mutants(first)).toHaveLength(3)
    expect(mutants(second)).toEqual(mutants(first))
    expect(first.output).toContain('The score of a package or feature is below 100%.')
    expect(first.code).toBe(1)
  })

  test('a list of survivors names the command, the sample and each surviving mutant', async () => {
    await start(['--files', 'packages/tiny/src/age.ts', '--write-survivors']).ended
    const page = readFileSync(join(root, 'docs', 'mutation', 'tiny.md'), 'utf8')
    expect(page).toContain(
      '- Command: `node tools/mutate.mjs --files packages/tiny/src/age.ts --seed 1 --write-survivors`',
    )
    expect(page).toContain('- line 2 (comparison): `age >= 18` → `age > 18`')
    rmSync(join(root, 'docs'), { recursive: true })
  })

  test('rejects an unknown path or number with a message', async () => {
    const missing = await start(['--files', 'packages/none']).ended
    expect(missing.output).toContain('There is no packages/none. Name files or folders of the project.')
    const wrong = await start(['--sample', 'few', '--files', 'packages']).ended
    expect(wrong.output).toContain('--sample takes a number, not "few".')
    expect([missing.code, wrong.code]).toEqual([1, 1])
  })
})

describe('the mutants of a source file', () => {
  function edits(source, options) {
    return findMutants('a.ts', source, options).mutants.map(
      ({ original, replacement }) => `${original} → ${replacement}`,
    )
  }

  test('each operator, literal and branch has mutants', () => {
    expect(edits('const a = b < c')).toEqual(['b < c → b <= c', 'b < c → b >= c'])
    expect(edits('const a = b && c')).toEqual(['b && c → ((b) || (c))'])
    expect(edits('const a = b - c')).toEqual(['b - c → b + c'])
    expect(edits('a += b')).toContain('a += b → a -= b')
    expect(edits('const a = !b')).toEqual(['!b → b'])
    expect(edits('const a = true')).toEqual(['true → false'])
    expect(edits('const a = 2')).toEqual(['2 → (2 + 1)', '2 → (2 - 1)'])
    expect(edits(`const a = 'b'`)).toEqual([`'b' → ''`])
    expect(edits('const a = b?.c')).toEqual(['?. → .'])
    expect(edits('const a = Math.min(b, c)')).toEqual(['min → max'])
    expect(edits('const a = b.filter(c)')).toEqual(['b.filter(c) → b'])
    expect(edits('if (a) throw b')).toEqual(['a → true', 'a → false', 'throw b → ;'])
    expect(edits('function a() { if (b) return; c() }')).toEqual(
      expect.arrayContaining(['return; → ;', 'c() → ;', '{ if (b) return; c() } → {}']),
    )
  })

  test('types, imports, keys, messages and declarations have no mutants', () => {
    const sources = [
      `import { a } from './a.ts'`,
      `export * from './a.ts'`,
      `type A = 'a' | 1`,
      `const a = { b: c, 'd': e } satisfies Record<'b' | 'd', 1>`,
      `console.log('text', 1)`,
      `schema.describe('text')`,
      `const a = new RangeError('text')`,
      `const a = import('./a.ts')`,
    ]
    for (const source of sources) expect(edits(source), source).toEqual([])
    expect(edits(`throw fail('text')`)).toEqual([`throw fail('text') → ;`])
    expect(edits(`const a = 1; const b = () => c < d`, { functionsOnly: true })).toEqual([
      'c < d → c <= d',
      'c < d → c >= d',
    ])
  })

  test('no mutant continues the statement before it', () => {
    expect(edits('a\nb && c').join()).not.toContain('((b)')
  })

  test('a mutant replaces only its own text', () => {
    const source = 'const a = b - c // b - c'
    const { mutants } = findMutants('a.ts', source)
    expect(mutants.map((mutant) => applyMutant(source, mutant))).toEqual(['const a = b + c // b - c'])
  })

  test('each block, branch and short function counts its runs', () => {
    const source = 'const f = (a: number) => ({ b: a ? 1 : g() })\nfunction g() { return 2 }\nf(0)\n'
    const { regions } = findMutants('a.ts', source)
    const counted = countRegions(source, regions, 'a.ts').replace('(a: number)', '(a)')
    const reached = []
    globalThis.__headwaterReached = (_file, region) =>
      reached.push(source.slice(regions[region].start, regions[region].end))
    try {
      runInThisContext(`(() => { ${counted} })()`)
    } finally {
      delete globalThis.__headwaterReached
    }
    expect(reached).toEqual(['({ b: a ? 1 : g() })', 'g()', ' return 2 }', ''])
  })
})

test('the score counts killed mutants and timeouts, rounded down', () => {
  const results = ['killed', 'timeout', 'survived', 'uncovered', 'killed', 'killed'].map((outcome) => ({
    outcome,
  }))
  expect(scoreOf(results)).toBe(66)
  expect(scoreOf([])).toBe(100)
})
