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

/** Returns the compressed size of files in bytes. */
function sizeBytes(files: readonly string[]): number {
  return files.reduce(
    (sum, file) => sum + gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length,
    0,
  )
}

/** Returns the JavaScript that every page loads first. */
function startFiles(): string[] {
  const manifest = readManifest()
  const initial = new Set(['index.html'])
  for (const name of initial) for (const imported of manifest[name]!.imports ?? []) initial.add(imported)
  return [...initial].map((name) => manifest[name]!.file)
}

/** Returns the files that the page of an insight preloads, without a slash at the start. */
function insightFiles(): string[] {
  const [{ files }] = JSON.parse(readFileSync(new URL('preloads.json', dist), 'utf8')) as [
    { files: string[] },
  ]
  return files.map((path) => path.slice(1))
}

test('the initial JavaScript of the web application is at most 160 kB compressed', () => {
  expect(sizeBytes(startFiles())).toBeLessThanOrEqual(160_000)
})

test('readers of an insight load at most 270 kB of JavaScript before the first chart', () => {
  const files = insightFiles().filter((file) => file.endsWith('.js'))
  expect(sizeBytes([...startFiles(), ...files])).toBeLessThanOrEqual(270_000)
})

test('readers load the builder with its dialogs, menus and tables separately', () => {
  const all = Object.values(readManifest()).map(({ file }) => file)
  const first = new Set([...startFiles(), ...insightFiles()])
  for (const name of ['builder', 'menu', 'table']) {
    const files = all.filter((file) => new RegExp(`^assets/${name}-[^/]*\\.js$`).test(file))
    expect(files.length, name).toBeGreaterThan(0)
    expect(files.filter((file) => first.has(file))).toEqual([])
  }
})

test('the matcher for patterns is a separate file, which the page of an insight does not load initially', () => {
  const manifest = readManifest()
  const [matcher, ...others] = Object.keys(manifest).filter((name) => name.endsWith('/re2-patterns.ts'))
  expect([others, manifest[matcher!]?.isDynamicEntry]).toEqual([[], true])
  expect(insightFiles().length).toBeGreaterThan(2)
  expect(insightFiles()).not.toContain(manifest[matcher!]!.file)
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
