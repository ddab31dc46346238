import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findLocalPaths } from './local-paths.mjs'

const slash = '/'

test('no file of the project contains a local path or a registry host', () => {
  expect(findLocalPaths().map(({ file, line, text }) => `${file}:${line} has ${text}`)).toEqual([])
})

test('finds a planted path and host, and nothing that merely looks like one', () => {
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
    expect(findLocalPaths(folder).map(({ file, line }) => `${file}:${line}`)).toEqual([
      'host.json:1',
      'path.ts:2',
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
