import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFeature } from './new-feature.mjs'
import { checkImportRules } from './import-rules.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const modules = join(root, 'node_modules')
let project
let files

// A copy of the project with a new feature. Third-party packages are links into the original.
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'headwater-new-feature-'))
  for (const name of ['packages', 'kit', 'features']) {
    cpSync(join(root, name), join(project, name), {
      recursive: true,
      filter: (source) => !/\/(node_modules|dist)$/.test(source),
    })
  }
  for (const name of [
    'package.json',
    'tsconfig.json',
    '.oxlintrc.json',
    '.prettierrc.json',
    'vitest.config.ts',
  ]) {
    cpSync(join(root, name), join(project, name))
  }
  files = createFeature(project, 'price-alerts', { now: new Date('2026-01-02T03:04:05Z') }).files
  linkModules()
  run('prettier/bin/prettier.cjs', '--write', '--ignore-unknown', '--log-level=warn', ...files)
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

/** Links third-party packages from the original and workspaces from the copy. */
function linkModules() {
  const own = join(project, 'node_modules', '@headwater')
  mkdirSync(own, { recursive: true })
  for (const name of readdirSync(modules)) {
    if (name !== '@headwater') symlinkSync(join(modules, name), join(project, 'node_modules', name))
  }
  for (const layer of ['packages', 'kit', 'features']) {
    for (const workspace of readdirSync(join(project, layer))) {
      const manifest = join(project, layer, workspace, 'package.json')
      const name = nameIn(manifest)
      if (name) symlinkSync(dirname(manifest), join(own, name.replace('@headwater/', '')))
    }
  }
}

function nameIn(manifest) {
  try {
    return JSON.parse(readFileSync(manifest, 'utf8')).name
  } catch {
    return undefined
  }
}

function run(tool, ...args) {
  try {
    execFileSync(process.execPath, [join(modules, tool), ...args], {
      cwd: project,
      encoding: 'utf8',
      stdio: 'pipe',
    })
  } catch (error) {
    throw new Error(`${tool} ${args.join(' ')}\n${error.stdout}${error.stderr}`, { cause: error })
  }
}

test('the new feature has all files of a feature and is last in the dependency order', () => {
  const names = files.map((file) => file.slice(join(project, 'features', 'price-alerts').length + 1))
  expect(names.toSorted()).toEqual([
    'README.md',
    'contract/errors.ts',
    'contract/index.ts',
    'contract/price-alert.ts',
    'contract/routes.ts',
    'package.json',
    'server/index.ts',
    'server/migrations/2026-01-02T0304-create-price-alerts.sql',
    'server/price-alerts-routes.ts',
    'server/price-alerts-service.ts',
    'server/price-alerts-store.ts',
    'server/price-alerts.test.ts',
    'web/index.ts',
    'web/price-alerts-client.ts',
    'web/screens/PriceAlertsScreen.tsx',
  ])
  expect(JSON.parse(readFileSync(join(project, 'features', 'order.json'), 'utf8')).at(-1)).toBe(
    'price-alerts',
  )
  for (const file of files) expect(readFileSync(file, 'utf8')).not.toMatch(/\{\{|__|undefined-/)
})

test('the new feature breaks no import rule', () => {
  expect(checkImportRules(project).filter(({ file }) => file.startsWith('features/price-alerts/'))).toEqual(
    [],
  )
})

test('the new feature compiles on both sides', () => {
  const base = JSON.parse(readFileSync(join(project, 'tsconfig.json'), 'utf8')).compilerOptions
  for (const name of ['server', 'web']) {
    const own = JSON.parse(readFileSync(join(root, `tsconfig.${name}.json`), 'utf8'))
    const include = [
      `features/price-alerts/contract`,
      `features/price-alerts/${name}`,
      'kit/web/src/**/*.d.ts',
    ]
    const compilerOptions = { ...base, ...own.compilerOptions }
    const config = join(project, `tsconfig.${name}.json`)
    writeFileSync(
      config,
      JSON.stringify({ compilerOptions, include: name === 'web' ? include : include.slice(0, 2) }),
    )
    run('typescript/bin/tsc', '-p', config)
  }
}, 120_000)

test('the new feature passes lint and format', () => {
  run('oxlint/bin/oxlint', 'features/price-alerts')
  run('prettier/bin/prettier.cjs', '--check', '--log-level=warn', 'features/price-alerts')
}, 60_000)

test('the tests of the new feature pass', () => {
  run('vitest/vitest.mjs', 'run', '--config', writeTestConfig(), 'features/price-alerts')
}, 120_000)

function writeTestConfig() {
  const path = join(project, 'vitest.new.config.mjs')
  writeFileSync(
    path,
    `export default { test: { include: ['features/price-alerts/**/*.test.ts'], pool: 'forks' } }`,
  )
  return path
}

test('rejects an invalid name, an existing feature and a name without a plural', () => {
  const now = new Date()
  expect(() => createFeature(project, 'Price Alerts', { now })).toThrow(
    '“Price Alerts” cannot name a feature',
  )
  expect(() => createFeature(project, 'price-alerts', { now })).toThrow('The feature price-alerts exists')
  expect(() => createFeature(project, 'news', { one: 'news', now })).toThrow('must differ')
  expect(() => createFeature(project, 'equipment', { now })).toThrow('pass the singular of equipment')
})
