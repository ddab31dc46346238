import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const json = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'))

const manifests = [
  'package.json',
  ...['packages', 'kit', 'features', 'apps'].flatMap((layer) =>
    readdirSync(join(root, layer), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(layer, entry.name, 'package.json')),
  ),
].map((path) => ({ path, content: json(path) }))

const thirdParty = manifests.flatMap(({ path, content }) =>
  ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.entries(content[kind] ?? {})
      .filter(([name]) => !name.startsWith('@headwater/'))
      .map(([name, version]) => ({ path, name, version })),
  ),
)

test('every third-party dependency has a line with licence and reason, and every line has a dependency', () => {
  const page = readFileSync(join(root, 'docs', 'decisions', 'dependencies.md'), 'utf8')
  const listed = [...page.matchAll(/^\| ([@a-z]\S*) +\| (\S[^|]*?) +\| (\S[^|]*?) +\|$/gm)].map(
    ([, name]) => name,
  )
  expect(listed.toSorted()).toEqual([...new Set(thirdParty.map(({ name }) => name))].toSorted())
})

test('the licence on the page matches that of the package', () => {
  const page = readFileSync(join(root, 'docs', 'decisions', 'dependencies.md'), 'utf8')
  const { packages } = json('package-lock.json')
  const wrong = [...page.matchAll(/^\| ([@a-z]\S*) +\| (\S[^|]*?) +\|/gm)].filter(([, name, licence]) => {
    const known = packages[`node_modules/${name}`]?.license
    return known !== undefined && known.replace(/[()]/g, '') !== licence.trim()
  })
  expect(wrong.map(([line]) => line)).toEqual([])
})

test('versions are exact, so that two installs are equal', () => {
  expect(thirdParty.filter(({ version }) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
})
