import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkWalls } from './walls.mjs'

test('every import of this project keeps the rules of the house', () => {
  const lines = checkWalls().map(({ file, line, name, rule }) => `${file}:${line} imports ${name}: ${rule}`)
  expect(lines).toEqual([])
})

describe('in a small house', () => {
  let house

  const room = (name, exports) => JSON.stringify({ name, exports })
  const threeDoors = {
    './contract': './contract/index.ts',
    './server': './server/index.ts',
    './web': './web/index.ts',
  }
  const sound = {
    'features/ladder.json': '["groups", "files"]',
    'packages/ncsv/package.json': room('@headwater/ncsv', { '.': './src/index.ts' }),
    'packages/ncsv/src/index.ts': `export * from './read.ts'`,
    'packages/ncsv/src/read.ts': `export const read = 1`,
    'packages/formula/package.json': room('@headwater/formula', {
      '.': './src/index.ts',
      './testing': './test/index.ts',
    }),
    'packages/formula/src/index.ts': `export const parse = 1`,
    'packages/formula/test/index.ts': `export const plain = 1`,
    'packages/series/test/formula.test.ts': `import { plain } from '@headwater/formula/testing'\nexport const same = plain`,
    'packages/series/package.json': room('@headwater/series', { '.': './src/index.ts' }),
    'packages/series/src/index.ts': `import { parse } from '@headwater/formula'\nexport function createSeriesEngine() { return parse }`,
    'kit/contract/package.json': room('@headwater/contract', { '.': './src/index.ts' }),
    'kit/contract/src/index.ts': `export const page = 1`,
    'kit/server/package.json': room('@headwater/server-kit', {
      '.': './src/index.ts',
      './testing': './src/testing/index.ts',
    }),
    'kit/server/src/index.ts': `import { page } from '@headwater/contract'\nexport function openDatabase() { return page }`,
    'kit/server/src/testing/index.ts': `export const testDatabase = 1`,
    'kit/web/package.json': room('@headwater/web-kit', { '.': './src/index.ts', './*': './src/*' }),
    'kit/web/src/index.ts': `export const button = 1`,
    'kit/web/src/table.ts': `export const table = 1`,
    'features/groups/package.json': room('@headwater/groups', threeDoors),
    'features/groups/contract/index.ts': `export * from './group.ts'`,
    'features/groups/contract/group.ts': `import { page } from '@headwater/contract'\nimport { parse } from '@headwater/formula'\nexport const group = [page, parse]`,
    'features/groups/server/index.ts': `import { createGroupsStore } from './groups-store.ts'\nexport const createGroups = createGroupsStore`,
    'features/groups/server/groups-routes.ts': `import type { S } from './groups-service.ts'\nexport type R = S`,
    'features/groups/server/groups-service.ts': `import type { T } from './groups-store.ts'\nexport type S = T`,
    'features/groups/server/groups-store.ts': `export type T = 1\nexport function createGroupsStore() {}`,
    'features/groups/server/groups.test.ts': `import { start } from '@headwater/server/testing'\nimport { createGroupsStore } from './groups-store.ts'\nstart(createGroupsStore)`,
    'features/groups/web/index.ts': `import { table } from '@headwater/web-kit/table.ts'\nexport const screen = table`,
    'features/files/package.json': room('@headwater/files', threeDoors),
    'features/files/contract/index.ts': `import { group } from '@headwater/groups/contract'\nexport const file = group`,
    'features/files/server/index.ts': `import { read } from '@headwater/ncsv'\nimport type { createGroups } from '@headwater/groups/server'\nexport type F = [typeof read, typeof createGroups]`,
    'features/files/web/index.ts': `export const files = () => import('./files-screen.ts')`,
    'features/files/web/files-screen.ts': `export const screen = 1`,
    'apps/server/package.json': room('@headwater/server', {
      '.': './src/compose.ts',
      './testing': './src/testing.ts',
    }),
    'features/groups/core/tile.ts': `import '../contract/index.ts'`,
    'apps/server/src/compose.ts': `import { createGroups } from '@headwater/groups/server'\nimport { createSeriesEngine } from '@headwater/series'\ncreateGroups(createSeriesEngine())`,
    'apps/server/src/testing.ts': `export const start = 1`,
    'apps/web/package.json': room('@headwater/web', { '.': './src/main.ts' }),
    'apps/web/src/main.ts': `import '@headwater/files/web'`,
  }

  beforeAll(() => {
    house = mkdtempSync(join(tmpdir(), 'headwater-walls-'))
    for (const [path, content] of Object.entries(sound)) write(path, content)
  })
  afterAll(() => rmSync(house, { recursive: true, force: true }))

  function write(path, content) {
    mkdirSync(dirname(join(house, path)), { recursive: true })
    writeFileSync(join(house, path), content)
  }

  /** Adds one file, checks, and takes it away again. */
  function rulesBrokenBy(path, content) {
    write(path, content)
    try {
      return checkWalls(house).map(({ file, rule }) => `${file}: ${rule}`)
    } finally {
      if (sound[path] === undefined) rmSync(join(house, path))
      else write(path, sound[path])
    }
  }

  test('sound imports break no rule', () => expect(checkWalls(house)).toEqual([]))

  const planted = [
    [
      'a package that knows the kit',
      'packages/ncsv/src/a.ts',
      `import '@headwater/contract'`,
      'packages never import kit',
    ],
    [
      'a package that knows another',
      'packages/ncsv/src/a.ts',
      `import '@headwater/series'`,
      'Packages do not know each other',
    ],
    [
      'the test door of a package outside of tests',
      'packages/series/src/a.ts',
      `import '@headwater/formula/testing'`,
      'imported by tests only',
    ],
    [
      'a package of pure functions that knows another package',
      'packages/formula/src/a.ts',
      `import '@headwater/ncsv'`,
      'imports no other package',
    ],
    [
      'a package of pure functions that imports Node',
      'packages/formula/src/a.ts',
      `import { readFileSync } from 'node:fs'`,
      'imports nothing of Node',
    ],
    [
      'core that knows its server',
      'features/groups/core/a.ts',
      `import '../server/index.ts'`,
      'Core imports contracts, core and packages of pure functions only',
    ],
    [
      'core that imports Node',
      'features/groups/core/a.ts',
      `import { readFileSync } from 'node:fs'`,
      'Core imports contracts, core and packages of pure functions only',
    ],
    [
      'core that knows the kit',
      'features/groups/core/a.ts',
      `import '@headwater/server-kit'`,
      'Core imports contracts, core and packages of pure functions only',
    ],
    [
      'a contract that knows core',
      'features/groups/contract/a.ts',
      `import '../core/a.ts'`,
      'A contract imports contracts only',
    ],
    [
      'the kit that knows a feature',
      'kit/server/src/a.ts',
      `import '@headwater/groups/server'`,
      'kit never import features',
    ],
    [
      'a feature that knows an app',
      'features/groups/server/a.ts',
      `import '@headwater/server'`,
      'features never import apps',
    ],
    [
      'test helpers outside of tests',
      'features/groups/server/a.ts',
      `import '@headwater/server/testing'`,
      'features never import apps',
    ],
    [
      'a contract that imports the server kit',
      'features/groups/contract/a.ts',
      `import '@headwater/server-kit'`,
      'contracts only',
    ],
    [
      'a contract that imports a package',
      'features/groups/contract/a.ts',
      `import '@headwater/ncsv'`,
      'contracts only',
    ],
    [
      'a contract that imports its own server',
      'features/groups/contract/a.ts',
      `import '../server/groups-store.ts'`,
      'contracts only',
    ],
    [
      'web that imports its own server',
      'features/groups/web/a.ts',
      `import '../server/groups-store.ts'`,
      'Server and web never meet',
    ],
    [
      'server that imports the web kit',
      'features/groups/server/a.ts',
      `import '@headwater/web-kit'`,
      'Server and web never meet',
    ],
    [
      'web that imports the server of another',
      'features/files/web/a.ts',
      `import '@headwater/groups/server'`,
      'Server and web never meet',
    ],
    [
      'the web app that imports a server',
      'apps/web/src/a.ts',
      `import '@headwater/groups/server'`,
      'Server and web never meet',
    ],
    [
      'server kit and web kit',
      'kit/server/src/a.ts',
      `import '@headwater/web-kit'`,
      'Server and web never meet',
    ],
    [
      'a type import',
      'features/groups/web/a.ts',
      `import type { T } from '../server/groups-store.ts'\nexport type U = T`,
      'Server and web never meet',
    ],
    [
      'an import within a type',
      'features/groups/web/a.ts',
      `export type U = import('../server/groups-store.ts').T`,
      'Server and web never meet',
    ],
    [
      'a dynamic import',
      'features/groups/web/a.ts',
      `export const load = () => import('../server/groups-store.ts')`,
      'Server and web never meet',
    ],
    [
      'an export from',
      'features/groups/web/a.ts',
      `export { T } from '../server/groups-store.ts'\nexport const a = 1`,
      'Server and web never meet',
    ],
    [
      'another room by a path',
      'features/files/server/a.ts',
      `import '../../groups/server/index.ts'`,
      'imported by its name',
    ],
    [
      'a feature entered beside its door',
      'features/files/server/a.ts',
      `import '@headwater/groups/server/groups-store.ts'`,
      'by its doors only',
    ],
    [
      'an app that enters beside the door',
      'apps/server/src/a.ts',
      `import '@headwater/groups/server/groups-store.ts'`,
      'by its doors only',
    ],
    [
      'a feature later on the ladder',
      'features/groups/server/a.ts',
      `import '@headwater/files/contract'`,
      'stands later on the ladder',
    ],
    [
      'a feature without a place on the ladder',
      'features/new/server/a.ts',
      `import '@headwater/groups/contract'`,
      'no place in features/ladder.json',
    ],
    [
      'routes that ask a store',
      'features/groups/server/a-routes.ts',
      `import { createGroupsStore } from './groups-store.ts'\ncreateGroupsStore()`,
      'routes ask a service',
    ],
    [
      'a service that knows routes',
      'features/groups/server/a-service.ts',
      `import './groups-routes.ts'`,
      'a service knows nothing of routes',
    ],
    [
      'a store that knows a service',
      'features/groups/server/a-store.ts',
      `import './groups-service.ts'`,
      'a store knows nothing of services',
    ],
    [
      'a service that makes its store',
      'features/groups/server/a-service.ts',
      `import { createGroupsStore } from './groups-store.ts'\ncreateGroupsStore()`,
      'Stores are made by the door',
    ],
    [
      'a feature that makes another',
      'features/files/server/a.ts',
      `import { createGroups } from '@headwater/groups/server'\ncreateGroups()`,
      'Only compose.ts and tests',
    ],
    [
      'a feature that makes an engine',
      'features/files/server/a.ts',
      `import { createSeriesEngine } from '@headwater/series'\ncreateSeriesEngine()`,
      'Only compose.ts and tests',
    ],
    [
      'a feature that opens a database',
      'features/files/server/a.ts',
      `import { openDatabase } from '@headwater/server-kit'\nopenDatabase()`,
      'Only compose.ts and tests',
    ],
    [
      'a barrel that is no door',
      'features/groups/server/all.ts',
      `export * from './groups-store.ts'`,
      'Only doors collect',
    ],
  ]

  test.each(planted)('%s is found and told in words', (_what, path, content, words) => {
    const broken = rulesBrokenBy(path, content)
    expect(broken).toHaveLength(1)
    expect(broken[0]).toContain(`${path}: `)
    expect(broken[0]).toContain(words)
  })

  test('what only looks like an import is none', () => {
    const content = `// import '@headwater/groups/server'\nexport const text = "import '@headwater/groups/server'"\nexport const pattern = /import('@headwater\\/groups')/`
    expect(rulesBrokenBy('features/groups/web/a.ts', content)).toEqual([])
  })
})
