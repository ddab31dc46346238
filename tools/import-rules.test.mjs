import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkImportRules } from './import-rules.mjs'

test('no import and no SQL statement of this project breaks an import rule', () => {
  const lines = checkImportRules().map(
    ({ file, line, verb, name, rule }) => `${file}:${line} ${verb} ${name}: ${rule}`,
  )
  expect(lines).toEqual([])
})

describe('a small repository', () => {
  let repository

  const manifest = (name, exports) => JSON.stringify({ name, exports })
  const entryPoints = {
    './contract': './contract/index.ts',
    './core': './core/index.ts',
    './server': './server/index.ts',
    './web': './web/index.ts',
  }
  const valid = {
    'features/order.json': '["groups", "files"]',
    'packages/ncsv/package.json': manifest('@headwater/ncsv', { '.': './src/index.ts' }),
    'packages/ncsv/src/index.ts': `export * from './read.ts'`,
    'packages/ncsv/src/read.ts': `export const read = 1`,
    'packages/formula/package.json': manifest('@headwater/formula', {
      '.': './src/index.ts',
      './testing': './test/index.ts',
    }),
    'packages/formula/src/index.ts': `export const parse = 1`,
    'packages/formula/test/index.ts': `export const plain = 1`,
    'packages/series/test/formula.test.ts': `import { plain } from '@headwater/formula/testing'\nexport const same = plain`,
    'packages/series/package.json': manifest('@headwater/series', { '.': './src/index.ts' }),
    'packages/series/src/index.ts': `import { parse } from '@headwater/formula'\nexport function createSeriesEngine() { return parse }`,
    'kit/contract/package.json': manifest('@headwater/contract', { '.': './src/index.ts' }),
    'kit/contract/src/index.ts': `export const page = 1`,
    'kit/server/package.json': manifest('@headwater/server-kit', {
      '.': './src/index.ts',
      './testing': './src/testing/index.ts',
    }),
    'kit/server/src/index.ts': `import { page } from '@headwater/contract'\nexport function openDatabase() { return page }`,
    'kit/server/src/testing/index.ts': `export const testDatabase = 1`,
    'kit/web/package.json': manifest('@headwater/web-kit', { '.': './src/index.ts', './*': './src/*' }),
    'kit/web/src/index.ts': `export const button = 1`,
    'kit/web/src/table.ts': `export const table = 1`,
    'features/groups/package.json': manifest('@headwater/groups', entryPoints),
    'features/groups/contract/index.ts': `export * from './group.ts'`,
    'features/groups/contract/group.ts': `import { page } from '@headwater/contract'\nimport { parse } from '@headwater/formula'\nexport const group = [page, parse]`,
    'features/groups/core/index.ts': `export { name } from './group-name.ts'`,
    'features/groups/core/group-name.ts': `import { group } from '../contract/index.ts'\nimport { parse } from '@headwater/formula'\nexport const name = [group, parse]`,
    'features/groups/server/index.ts': `import { createGroupsStore } from './groups-store.ts'\nexport const createGroups = createGroupsStore`,
    'features/groups/server/groups-routes.ts': `import type { S } from './groups-service.ts'\nexport type R = S`,
    'features/groups/server/groups-service.ts': `import type { T } from './groups-store.ts'\nexport type S = T`,
    'features/groups/server/groups-store.ts': `export type T = 1\nexport function createGroupsStore() {}`,
    'features/groups/server/groups.test.ts': `import { start } from '@headwater/server/testing'\nimport { createGroupsStore } from './groups-store.ts'\nstart(createGroupsStore)`,
    'features/groups/README.md': 'Views for SQL of other features: `group_names`.',
    'features/groups/server/migrations/1-create.sql':
      'create table groups (id bigint);\n-- Not exported: create view old_groups\ncreate view own_groups as select id from groups;',
    'features/groups/server/migrations/2-export.sql': 'create view group_names as select id from groups;',
    'features/groups/server/own-store.ts': `db.selectFrom('groups').innerJoin('own_groups', 'a', 'b')\ndb.insertInto('groups')`,
    'features/files/server/migrations/3-create.sql':
      'create table files (group_id bigint references groups (id));\ncreate view visible as select from files join group_names on true;',
    'features/groups/web/index.ts': `import { name } from '../core/index.ts'\nimport { table } from '@headwater/web-kit/table.ts'\nexport const screen = [table, name]`,
    'features/files/package.json': manifest('@headwater/files', entryPoints),
    'features/files/contract/index.ts': `import { group } from '@headwater/groups/contract'\nexport const file = group`,
    'features/files/core/index.ts': `import { name } from '@headwater/groups/core'\nexport const file = name`,
    'features/files/server/index.ts': `import { read } from '@headwater/ncsv'\nimport type { createGroups } from '@headwater/groups/server'\nexport type F = [typeof read, typeof createGroups]`,
    'features/files/web/index.ts': `export const files = () => import('./files-screen.ts')`,
    'features/files/web/files-screen.ts': `export const screen = 1`,
    'apps/server/package.json': manifest('@headwater/server', {
      '.': './src/compose.ts',
      './testing': './src/testing.ts',
    }),
    'apps/server/src/compose.ts': `import { createGroups } from '@headwater/groups/server'\nimport { createSeriesEngine } from '@headwater/series'\ncreateGroups(createSeriesEngine())`,
    'apps/server/src/testing.ts': `export const start = 1`,
    'apps/web/package.json': manifest('@headwater/web', { '.': './src/main.ts' }),
    'apps/web/src/main.ts': `import '@headwater/files/web'`,
  }

  beforeAll(() => {
    repository = mkdtempSync(join(tmpdir(), 'headwater-import-rules-'))
    for (const [path, content] of Object.entries(valid)) write(path, content)
  })
  afterAll(() => rmSync(repository, { recursive: true, force: true }))

  function write(path, content) {
    mkdirSync(dirname(join(repository, path)), { recursive: true })
    writeFileSync(join(repository, path), content)
  }

  /** Adds or replaces one file, checks, and restores the repository. */
  function rulesBrokenBy(path, content) {
    return rulesBrokenByAll({ [path]: content })
  }

  function rulesBrokenByAll(files) {
    for (const [path, content] of Object.entries(files)) write(path, content)
    try {
      return checkImportRules(repository).map(({ file, rule }) => `${file}: ${rule}`)
    } finally {
      for (const path of Object.keys(files)) {
        if (valid[path] === undefined) rmSync(join(repository, path))
        else write(path, valid[path])
      }
    }
  }

  test('valid imports break no rule', () => expect(checkImportRules(repository)).toEqual([]))

  const violations = [
    [
      'a package imports the kit',
      'packages/ncsv/src/a.ts',
      `import '@headwater/contract'`,
      'packages cannot import kit',
    ],
    [
      'a package imports another',
      'packages/ncsv/src/a.ts',
      `import '@headwater/series'`,
      'pure packages only',
    ],
    [
      'code imports a test entry point',
      'packages/series/src/a.ts',
      `import '@headwater/formula/testing'`,
      'Only tests can import',
    ],
    [
      'a pure package imports another package',
      'packages/formula/src/a.ts',
      `import '@headwater/ncsv'`,
      'cannot import other packages',
    ],
    [
      'a pure package imports a Node module',
      'packages/formula/src/a.ts',
      `import { readFileSync } from 'node:fs'`,
      'cannot import Node modules',
    ],
    [
      'the kit imports a feature',
      'kit/server/src/a.ts',
      `import '@headwater/groups/server'`,
      'kit cannot import features',
    ],
    [
      'a feature imports an app',
      'features/groups/server/a.ts',
      `import '@headwater/server'`,
      'features cannot import apps',
    ],
    [
      'a feature imports test helpers',
      'features/groups/server/a.ts',
      `import '@headwater/server/testing'`,
      'features cannot import apps',
    ],
    [
      'a contract imports the server kit',
      'features/groups/contract/a.ts',
      `import '@headwater/server-kit'`,
      'contracts and pure packages only',
    ],
    [
      'a contract imports a package',
      'features/groups/contract/a.ts',
      `import '@headwater/ncsv'`,
      'contracts and pure packages only',
    ],
    [
      'a contract imports its own server',
      'features/groups/contract/a.ts',
      `import '../server/groups-store.ts'`,
      'contracts and pure packages only',
    ],
    [
      'web imports its own server',
      'features/groups/web/a.ts',
      `import '../server/groups-store.ts'`,
      'Server and web files cannot import each other',
    ],
    [
      'server imports the web kit',
      'features/groups/server/a.ts',
      `import '@headwater/web-kit'`,
      'Server and web files cannot import each other',
    ],
    [
      'web imports the server of another feature',
      'features/files/web/a.ts',
      `import '@headwater/groups/server'`,
      'Server and web files cannot import each other',
    ],
    [
      'the web app imports a server',
      'apps/web/src/a.ts',
      `import '@headwater/groups/server'`,
      'Server and web files cannot import each other',
    ],
    [
      'the server kit imports the web kit',
      'kit/server/src/a.ts',
      `import '@headwater/web-kit'`,
      'Server and web files cannot import each other',
    ],
    [
      'a type import',
      'features/groups/web/a.ts',
      `import type { T } from '../server/groups-store.ts'\nexport type U = T`,
      'Server and web files cannot import each other',
    ],
    [
      'an import within a type',
      'features/groups/web/a.ts',
      `export type U = import('../server/groups-store.ts').T`,
      'Server and web files cannot import each other',
    ],
    [
      'a dynamic import',
      'features/groups/web/a.ts',
      `export const load = () => import('../server/groups-store.ts')`,
      'Server and web files cannot import each other',
    ],
    [
      'an export from',
      'features/groups/web/a.ts',
      `export { T } from '../server/groups-store.ts'\nexport const a = 1`,
      'Server and web files cannot import each other',
    ],
    [
      'a path into another workspace',
      'features/files/server/a.ts',
      `import '../../groups/server/index.ts'`,
      'by its name',
    ],
    [
      'a feature imports an internal file of another',
      'features/files/server/a.ts',
      `import '@headwater/groups/server/groups-store.ts'`,
      'through its entry points only',
    ],
    [
      'an app imports an internal file of a feature',
      'apps/server/src/a.ts',
      `import '@headwater/groups/server/groups-store.ts'`,
      'through its entry points only',
    ],
    [
      'a feature imports a later one',
      'features/groups/server/a.ts',
      `import '@headwater/files/contract'`,
      'comes after groups in features/order.json',
    ],
    [
      'a feature is missing in the dependency order',
      'features/new/server/a.ts',
      `import '@headwater/groups/contract'`,
      'is not in features/order.json',
    ],
    [
      'routes call a store',
      'features/groups/server/a-routes.ts',
      `import { createGroupsStore } from './groups-store.ts'\ncreateGroupsStore()`,
      'routes call a service',
    ],
    [
      'a service imports routes',
      'features/groups/server/a-service.ts',
      `import './groups-routes.ts'`,
      'a service cannot import routes',
    ],
    [
      'a store imports a service',
      'features/groups/server/a-store.ts',
      `import './groups-service.ts'`,
      'a store cannot import a service',
    ],
    [
      'a service creates its store',
      'features/groups/server/a-service.ts',
      `import { createGroupsStore } from './groups-store.ts'\ncreateGroupsStore()`,
      'create its stores',
    ],
    [
      'a feature creates another',
      'features/files/server/a.ts',
      `import { createGroups } from '@headwater/groups/server'\ncreateGroups()`,
      'Only compose.ts and tests',
    ],
    [
      'a feature creates an engine',
      'features/files/server/a.ts',
      `import { createSeriesEngine } from '@headwater/series'\ncreateSeriesEngine()`,
      'Only compose.ts and tests',
    ],
    [
      'a feature opens a database',
      'features/files/server/a.ts',
      `import { openDatabase } from '@headwater/server-kit'\nopenDatabase()`,
      'Only compose.ts and tests',
    ],
    [
      'core imports its own server',
      'features/groups/core/a.ts',
      `import '../server/groups-store.ts'`,
      'contracts, core files and pure packages only',
    ],
    [
      'core imports the web of another feature',
      'features/files/core/a.ts',
      `import '@headwater/groups/web'`,
      'contracts, core files and pure packages only',
    ],
    [
      'core imports a package with effects',
      'features/groups/core/a.ts',
      `import '@headwater/ncsv'`,
      'contracts, core files and pure packages only',
    ],
    [
      'core imports a Node module',
      'features/groups/core/a.ts',
      `import { readFileSync } from 'node:fs'`,
      'cannot import Node modules',
    ],
    [
      'a contract imports core',
      'features/files/contract/a.ts',
      `import '../core/index.ts'`,
      'contracts and pure packages only',
    ],
    [
      'a barrel is not an entry point',
      'features/groups/server/all.ts',
      `export * from './groups-store.ts'`,
      'Only entry points re-export',
    ],
  ]

  test.each(violations)('reports that %s', (_what, path, content, rule) => {
    const broken = rulesBrokenBy(path, content)
    expect(broken).toHaveLength(1)
    expect(broken[0]).toContain(`${path}: `)
    expect(broken[0]).toContain(rule)
  })

  describe('cycles', () => {
    const other = 'features/groups/web/screens/screen.ts'
    const importsOther = `import { screen } from './screens/screen.ts'\nexport const a = screen`

    test.each([
      ['reports', 'a static import', `import { a } from '../a.ts'\nexport const screen = a`, 2],
      ['accepts', 'a type import', `import type { a } from '../a.ts'\nexport const screen: typeof a = 1`, 0],
      ['accepts', 'a lazy import', `export const screen = () => import('../a.ts')`, 0],
    ])('%s a cycle of files through %s', (_verb, _kind, content, count) => {
      const broken = rulesBrokenByAll({ 'features/groups/web/a.ts': importsOther, [other]: content })
      expect(broken).toHaveLength(count)
      for (const rule of broken) expect(rule).toContain('import each other')
    })

    test.each([
      ['reports', 'a static import', `import { table } from '../tables/t.ts'\nexport const l = table`, 1],
      ['reports', 'a lazy import', `export const l = () => import('../tables/t.ts')`, 1],
      ['accepts', 'a type import', `export type L = import('../tables/t.ts').T`, 0],
    ])('%s a cycle of folders through %s', (_verb, _kind, content, count) => {
      const broken = rulesBrokenByAll({
        'features/groups/web/tables/t.ts': `export type T = 1\nexport const table = 1`,
        'features/groups/web/tables/rows.ts': `import { list } from '../lists/list.ts'\nexport const rows = list`,
        'features/groups/web/lists/list.ts': `export const list = 1`,
        'features/groups/web/lists/l.ts': content,
      })
      expect(broken).toHaveLength(count)
      for (const rule of broken)
        expect(rule).toContain('features/groups/web/lists → features/groups/web/tables')
    })
  })

  describe('SQL', () => {
    const path = 'features/files/server/a.ts'
    const foreign = 'groups can change groups at any time. It exports group_names.'
    const ownOnly = 'writes only tables of its own feature'

    test.each([
      ['the query builder reads a foreign table', `db.selectFrom('groups as g').execute()`, foreign],
      ['the query builder joins one', `db.selectFrom('files').leftJoin('groups', 'a', 'b')`, foreign],
      ['a fragment names one', 'const part = sql`x join groups on true`', foreign],
      ['a typed fragment names one', 'const part = sql<{ id: number }>`select id from groups`', foreign],
      ['a fragment is only its name', 'const table = sql`groups`', foreign],
      ['a list names one', `pool.query('select from files f, groups where f.id = 1')`, foreign],
      ['a join names one', `pool.query('select from files join groups on true')`, foreign],
      ['a statement locks one', `pool.query('select from groups for update')`, foreign],
      ['a template names one', 'const text = `with a as (select 1) select ${a} from groups`', foreign],
      ['a part of a statement names one', `const from = 'from files join groups on true'`, foreign],
      ['it reads a private view', `db.selectFrom('own_groups')`, 'groups can change own_groups at any time'],
      ['the query builder updates a foreign table', `db.updateTable('groups')`, ownOnly],
      ['a statement updates one', `pool.query('update groups set id = 1')`, ownOnly],
      ['a fragment deletes through a view', 'sql`delete from group_names`', ownOnly],
      ['a statement inserts through a view', `pool.query('insert into group_names values (1)')`, ownOnly],
    ])('reports that %s', (_what, content, rule) => {
      expect(rulesBrokenBy(path, content)).toEqual([expect.stringContaining(rule)])
    })

    test('reports a view of a later feature', () => {
      const broken = rulesBrokenByAll({
        'features/files/README.md': 'Views for SQL of other features: `visible`.',
        'features/groups/server/a.ts': `db.selectFrom('visible')`,
      })
      expect(broken).toEqual([expect.stringContaining('files comes after groups')])
    })

    test('reports a view over a foreign table', () => {
      const migration = 'features/files/server/migrations/4-view.sql'
      expect(rulesBrokenBy(migration, 'create view all_groups as\n  select id from groups;')).toEqual([
        expect.stringContaining(`${migration}: SQL names only tables of its own feature`),
      ])
    })

    test.each([
      ['an exported view', `db.selectFrom('group_names as groups').forKeyShare('groups')`],
      ['a lock through one', `pool.query('select from files join group_names as groups on true for update')`],
      ['names that a statement defines', 'sql`with groups as (select 1) select from groups`'],
      ['comments', '// select from groups\nexport const one = 1'],
      ['messages', `throw new Error('Select names from groups, or move them into groups.')`],
      ['tests', `pool.query('insert into groups values (1)')`, 'features/files/server/a.test.ts'],
      [
        'foreign keys',
        'create table more (id bigint references groups (id));',
        'features/files/server/migrations/4-more.sql',
      ],
    ])('accepts %s', (_what, content, file = path) => expect(rulesBrokenBy(file, content)).toEqual([]))
  })

  test('reports a cast to a type that only another feature makes', () => {
    const cast = `export const scope = { groupIds: [1] } as unknown as AccessScope`
    expect(rulesBrokenBy('features/files/server/a.ts', cast)).toEqual([
      expect.stringContaining('Only features/groups makes values of the type AccessScope'),
    ])
    expect(rulesBrokenBy('features/groups/server/a.ts', cast)).toEqual([])
  })

  test('ignores comments, strings and patterns that look like imports', () => {
    const content = `// import '@headwater/groups/server'\nexport const text = "import '@headwater/groups/server'"\nexport const pattern = /import('@headwater\\/groups')/`
    expect(rulesBrokenBy('features/groups/web/a.ts', content)).toEqual([])
  })
})
