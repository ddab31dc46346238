import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkPlaces } from './places.mjs'

const slash = '/'

test('no file of the project names a machine or a registry', () => {
  expect(checkPlaces().map(({ file, line, found }) => `${file}:${line} has ${found}`)).toEqual([])
})

test('a planted path or host is found, what only looks like one is not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-places-'))
  try {
    mkdirSync(join(folder, 'node_modules'))
    writeFileSync(join(folder, 'node_modules', 'other.js'), `${slash}home/somebody`)
    writeFileSync(join(folder, 'path.ts'), `fine\nconst file = '${slash}home/somebody/file'`)
    writeFileSync(
      join(folder, 'host.json'),
      `{"from": "https://${['registry', 'example', 'org'].join('.')}/x"}`,
    )
    writeFileSync(
      join(folder, 'fine.ts'),
      `fetch('http://localhost/root/work'); open('./work/file'); x = \`\${a}/home/b\``,
    )
    expect(checkPlaces(folder).map(({ file, line }) => `${file}:${line}`)).toEqual([
      'host.json:1',
      'path.ts:2',
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
