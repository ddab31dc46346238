import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { insightParts, insightScreen } from '../../apps/web/code-groups.ts'

const dist = new URL('../../apps/web/dist/', import.meta.url)

interface Chunk {
  file: string
  imports?: string[]
  isDynamicEntry?: boolean
}

type Manifest = Record<string, Chunk>
const readManifest = () => JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8')) as Manifest

/** These files of a build and all that come with them. */
function withImports(manifest: Manifest, names: readonly string[]): Set<string> {
  const found = new Set(names)
  for (const name of found) for (const imported of manifest[name]!.imports ?? []) found.add(imported)
  return found
}

test('the initial JavaScript of the web application is at most 200 kB compressed', () => {
  const manifest = readManifest()
  const initial = withImports(manifest, ['index.html'])
  const sizes = [...initial].map(
    (name) => gzipSync(readFileSync(new URL(manifest[name]!.file, dist)), { level: 9 }).length,
  )
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(200_000)
})

test('the matcher for patterns is a file of its own, which the page of an insight does not fetch with its parts', () => {
  const manifest = readManifest()
  const names = Object.keys(manifest)
  const [matcher, ...others] = names.filter((name) => name.includes('node_modules/re2js/'))
  expect([others, manifest[matcher!]?.isDynamicEntry]).toEqual([[], true])
  const parts = [insightScreen, ...insightParts].map((end) => names.find((name) => name.endsWith(end))!)
  const page = withImports(manifest, ['index.html', ...parts])
  expect(page.size).toBeGreaterThan(parts.length)
  expect(page.has(matcher!)).toBe(false)
})
