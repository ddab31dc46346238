import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))

// The registry did not offer them when the lock file was written. Where they exist, the install completes the lock file.
const notOffered = /^@chdb\/lib-(darwin-arm64|darwin-x64|linux-arm64-gnu), /

// A lock file written on one system and without the packages of the others makes `npm ci` fail everywhere.
test('the lock file contains every optional package of every system', () => {
  const missing = Object.entries(packages).flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !packages[`${path}/node_modules/${name}`] && !packages[`node_modules/${name}`])
      .map((name) => `${name}, wanted by ${path || 'the project'}`)
      .filter((line) => !notOffered.test(line)),
  )
  expect(missing).toEqual([])
})

test('the lock file contains no registry addresses, so that each user installs from their own registry', () => {
  const located = Object.entries(packages).filter(([, entry]) => entry.resolved?.includes('://'))
  expect(located.map(([path]) => path)).toEqual([])
})
