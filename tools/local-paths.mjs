// No file of the project contains a path of one machine or the host of a registry, because it must work everywhere.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { filesUnder } from './project-files.mjs'

const projectFolder = fileURLToPath(new URL('..', import.meta.url))
const binary = /\.(png|jpe?g|gif|ico|woff2?|pdf|gz|br|zip|parquet)$/

const rules = [
  {
    pattern: /(?<![\w.\-/:}])\/(?:home|Users|root|work|opt|srv|mnt|media)\/[\w.-]+/,
    rule: 'This is an absolute path of one machine. Make it relative to the file or the project, or a parameter.',
  },
  {
    pattern: /\b(?:registry\.[a-z0-9-]+\.[a-z]+|npmjs\.(?:org|com))\b/i,
    rule: 'This is the host of a package registry. Remove it; users configure theirs in npm.',
  },
]

/**
 * Finds paths and hosts in every text file of the project.
 * @param {string} [folder] of the project
 * @returns {{ file: string, line: number, text: string, rule: string }[]}
 */
export function findLocalPaths(folder = projectFolder) {
  return filesUnder(folder, (name) => !binary.test(name)).flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((content, index) =>
        rules.flatMap(({ pattern, rule }) => {
          const text = pattern.exec(content)?.[0]
          return text === undefined ? [] : [{ file: relative(folder, path), line: index + 1, text, rule }]
        }),
      ),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const violations = findLocalPaths()
  for (const { file, line, text, rule } of violations) console.error(`${file}:${line} has ${text}\n  ${rule}`)
  console.log(
    violations.length === 0 ? 'Local paths: none.' : `Local paths: ${violations.length} violations.`,
  )
  process.exitCode = violations.length === 0 ? 0 : 1
}
