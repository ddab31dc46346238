import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')

/** Returns the part of CONTRIBUTING.md below a heading. */
function sectionOf(heading) {
  const from = text.indexOf(`\n${heading}\n`)
  expect([heading, from > 0]).toEqual([heading, true])
  const end = text.slice(from + 1).search(/\n#{2,3} /)
  return text.slice(from, end < 0 ? undefined : from + 1 + end)
}

/** Returns the paths in a string: code with a slash that begins with a folder of the project and has no placeholder. */
function pathsIn(part) {
  const folders = /^(packages|kit|features|apps|tests|tools|docs|bench|scripts)\//
  return [...part.matchAll(/`([^`\s]+)`/g)]
    .map(([, path]) => path)
    .filter((path) => folders.test(path) && !/[<*]/.test(path))
}

test('every path that CONTRIBUTING names exists', () => {
  const paths = pathsIn(text)
  expect(paths.length).toBeGreaterThan(50)
  expect(paths.filter((path) => !existsSync(join(root, path.split('#')[0])))).toEqual([])
})

test('each row of “Where each rule is implemented” names code and its test, and the code contains the names in the row', () => {
  const rows = [
    ...sectionOf('### Where each rule is implemented').matchAll(/^\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm),
  ].slice(2)
  expect(rows.length).toBeGreaterThanOrEqual(20)
  for (const [, what, code, tests] of rows) {
    const [path] = pathsIn(code)
    expect([what, path !== undefined, pathsIn(tests).length > 0]).toEqual([what, true, true])
    for (const [, name] of code.matchAll(/`(\w+)`/g))
      expect([what, name, readFileSync(join(root, path), 'utf8').includes(name)]).toEqual([what, name, true])
  }
})
