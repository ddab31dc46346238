import { existsSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const dist = new URL('../../apps/web/dist/', import.meta.url)

interface Chunk {
  file: string
  css?: string[]
  assets?: string[]
  imports?: string[]
  isDynamicEntry?: boolean
}

type Manifest = Record<string, Chunk>

function readManifest(): Manifest {
  return JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8')) as Manifest
}

test('the initial JavaScript of the web application is at most 200 kB compressed', () => {
  const manifest = readManifest()
  const initial = new Set(['index.html'])
  for (const name of initial) for (const imported of manifest[name]!.imports ?? []) initial.add(imported)
  const sizes = [...initial].map(
    (name) => gzipSync(readFileSync(new URL(manifest[name]!.file, dist)), { level: 9 }).length,
  )
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(200_000)
})

test('the matcher for patterns is a separate file, which the page of an insight does not load with its parts', () => {
  const manifest = readManifest()
  const [matcher, ...others] = Object.keys(manifest).filter((name) => name.endsWith('/re2-patterns.ts'))
  expect([others, manifest[matcher!]?.isDynamicEntry]).toEqual([[], true])
  const [insight] = JSON.parse(readFileSync(new URL('preloads.json', dist), 'utf8')) as [{ files: string[] }]
  expect(insight.files.length).toBeGreaterThan(2)
  expect(insight.files).not.toContain(`/${manifest[matcher!]!.file}`)
})

test('every file in the start page, the preloads or the manifest is in the build', () => {
  const preloads = JSON.parse(readFileSync(new URL('preloads.json', dist), 'utf8')) as { files: string[] }[]
  const html = readFileSync(new URL('index.html', dist), 'utf8')
  const named = [
    ...Array.from(html.matchAll(/(?:src|href)="\/([^"]+)"/g), ([, path]) => path!),
    ...preloads.flatMap(({ files }) => files.map((path) => path.slice(1))),
    ...Object.values(readManifest()).flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]),
  ]
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((path) => !existsSync(new URL(path, dist)))).toEqual([])
})
