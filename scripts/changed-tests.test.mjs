import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { browserTestsByFeature, chooseTests } from './changed-tests.mjs'

const root = join(import.meta.dirname, '..')
const browserFiles = readdirSync(join(root, 'tests/browser')).map((name) => `tests/browser/${name}`)

test('changing a feature runs its browser tests', () => {
  const { all, related, browser } = chooseTests(
    ['features/tasks/server/tasks-service.ts', 'README.md'],
    browserFiles,
  )
  expect(all).toBeUndefined()
  expect(related).toEqual(['features/tasks/server/tasks-service.ts'])
  expect(browser).toContain('tests/browser/science.test.ts')
})

test('changing a shared module or the application runs every browser test', () => {
  const every = browserFiles.filter((path) => path.endsWith('.test.ts'))
  expect(chooseTests(['kit/web/src/ui/toasts.ts'], browserFiles).browser).toEqual(every)
  expect(chooseTests(['apps/web/src/main.tsx'], browserFiles).browser).toEqual(every)
  expect(chooseTests(['tests/browser/stage.ts'], browserFiles).browser).toEqual(every)
})

test('changing a test file runs only that file', () => {
  const path = 'features/tasks/server/tasks.test.ts'
  expect(chooseTests([path], browserFiles)).toEqual({ related: [path], browser: [] })
})

test('changing the test setup or the dependencies runs every test', () => {
  expect(chooseTests(['package-lock.json'], browserFiles).all).toBe('package-lock.json')
  expect(chooseTests(['tests/setup/postgres.ts'], browserFiles).all).toBe('tests/setup/postgres.ts')
})

test('every feature has browser tests, and each listed prefix exists', () => {
  const features = readdirSync(join(root, 'features'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  expect(Object.keys(browserTestsByFeature).toSorted()).toEqual(features.toSorted())
  for (const prefix of Object.values(browserTestsByFeature).flat())
    expect(
      browserFiles.some((path) => path.startsWith(`tests/browser/${prefix}`)),
      prefix,
    ).toBe(true)
})
