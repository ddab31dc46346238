import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path) => readFileSync(join(root, path), 'utf8')

/** Returns the settings in the tables of a README, with their defaults. */
function documentedIn(path) {
  const rows = read(path).matchAll(/^\| `((?:HEADWATER|DATABASE)_[A-Z0-9_]+)` *\|[^|]+\| *([^|]*?) *\|$/gm)
  return Object.fromEntries([...rows].map(([, name, standard]) => [name, standard.replaceAll('`', '')]))
}

const settings = ['kit/server/src/config.ts', 'kit/server/src/mail-in-settings.ts'].map(read).join('\n')

test('the README lists every setting that the server reads', () => {
  const names = [...settings.matchAll(/env\.((?:HEADWATER|DATABASE)_[A-Z0-9_]+)/g)].map(([, name]) => name)
  expect(Object.keys(documentedIn('README.md')).toSorted()).toEqual([...new Set(names)].toSorted())
})

test('the README states the defaults of the code', () => {
  const documented = documentedIn('README.md')
  const defaults = [...settings.matchAll(/env\.([A-Z0-9_]+) \|\| '([^']*)'/g)].map(([, name, text]) => [
    name,
    text,
  ])
  expect(defaults.length).toBeGreaterThan(12)
  for (const [name, text] of defaults)
    expect([name, documented[name]]).toEqual([name, text === '::' ? 'all interfaces' : text])
})

test('the README of a feature lists the settings that the feature reads, with their defaults', () => {
  let count = 0
  for (const feature of readdirSync(join(root, 'features'))) {
    if (!existsSync(join(root, 'features', feature, 'README.md'))) continue
    const files = globSync(`features/${feature}/server/**/*.ts`, { cwd: root }).filter(
      (path) => !path.endsWith('.test.ts'),
    )
    const code = files.map(read).join('\n')
    const tables = [...code.matchAll(/variable: '(HEADWATER_[A-Z0-9_]+)', standard: '([^']*)'/g)]
    const settingsOf = Object.fromEntries(tables.map(([, name, standard]) => [name, standard]))
    // Other ways to read the environment are in the configuration of the server.
    expect([feature, /\benv\.HEADWATER_/.test(code)]).toEqual([feature, false])
    if (tables.length > 0) expect(documentedIn(`features/${feature}/README.md`)).toEqual(settingsOf)
    count += tables.length
  }
  expect(count).toBeGreaterThan(10)
})
