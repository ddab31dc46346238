import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const dist = new URL('../../apps/web/dist/', import.meta.url)

interface Chunk {
  file: string
  imports?: string[]
}

test('the initial JavaScript of the web application is at most 200 kB compressed', () => {
  const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8')) as Record<
    string,
    Chunk
  >
  const initial = new Set<string>()
  const visit = (name: string) => {
    if (initial.has(name)) return
    initial.add(name)
    for (const imported of manifest[name]!.imports ?? []) visit(imported)
  }
  visit('index.html')
  const sizes = [...initial].map(
    (name) => gzipSync(readFileSync(new URL(manifest[name]!.file, dist)), { level: 9 }).length,
  )
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(200_000)
})
