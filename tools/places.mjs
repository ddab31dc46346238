// No file of the project names the machine or the network it was written on: it has to work for everybody.
import { readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const projectFolder = fileURLToPath(new URL('..', import.meta.url))
const passedBy = new Set([
  'node_modules',
  'dist',
  '.git',
  '.runtime',
  '.headwater',
  'test-results',
  'coverage',
])
const binary = /\.(png|jpe?g|gif|ico|woff2?|pdf|gz|br|zip|parquet)$/

const rules = [
  {
    pattern: /(?<![\w.\-/:}])\/(?:home|Users|root|work|opt|srv|mnt|media)\/[\w.-]+/,
    rule: 'An absolute path of one machine. Make it relative to the file or the project, or take it as a parameter.',
  },
  {
    pattern: /\b(?:registry\.[a-z0-9-]+\.[a-z]+|npmjs\.(?:org|com))\b/i,
    rule: 'The host of a package registry. Everybody has their own in the settings of npm.',
  },
]

/**
 * Looks through every text file of the project.
 * @param {string} [folder] of the project
 * @returns {{ file: string, line: number, found: string, rule: string }[]}
 */
export function checkPlaces(folder = projectFolder) {
  return textFiles(folder).flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((text, index) =>
        rules.flatMap(({ pattern, rule }) => {
          const found = pattern.exec(text)?.[0]
          return found === undefined ? [] : [{ file: relative(folder, path), line: index + 1, found, rule }]
        }),
      ),
  )
}

function textFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return passedBy.has(entry.name) ? [] : textFiles(path)
    return entry.isFile() && !binary.test(entry.name) ? [path] : []
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = checkPlaces()
  for (const { file, line, found: text, rule } of found)
    console.error(`${file}:${line} has ${text}\n  ${rule}`)
  console.log(
    found.length === 0 ? 'Places: no file names a machine or a registry.' : `Places: ${found.length} found.`,
  )
  process.exitCode = found.length === 0 ? 0 : 1
}
