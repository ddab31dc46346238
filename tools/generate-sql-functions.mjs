// Writes docs/reference/sql-functions.md: the migration that defines each SQL function now. With `--check` it writes nothing and
// exits with code 1 when the file differs.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import prettier from 'prettier'

const root = fileURLToPath(new URL('..', import.meta.url))
const file = join(root, 'docs', 'reference', 'sql-functions.md')

/**
 * @typedef {object} SqlFunction A function of the database.
 * @property {string} name
 * @property {string} owner folder of its migrations, without `/server/migrations`
 * @property {string} path migration with the definition in effect
 * @property {string} purpose comment above the definition, or above the newest earlier one that has a comment; empty without one
 * @property {number} replaced number of earlier definitions
 */

/**
 * Reads the functions from migrations, in the order in which those run.
 * @param {{ path: string, sql: string }[]} migrations
 * @returns {SqlFunction[]} by name ascending
 */
export function readSqlFunctions(migrations) {
  /** @type {Map<string, SqlFunction>} */
  const functions = new Map()
  const ordered = migrations.toSorted((one, other) => (basename(one.path) < basename(other.path) ? -1 : 1))
  for (const { path, sql } of ordered) {
    for (const [, comment, isDrop, name] of sql.matchAll(
      /^((?:--.*\n)*)(?:create(?: or replace)?|(drop)) function (?:if exists )?(\w+)/gim,
    )) {
      const earlier = functions.get(name)
      functions.delete(name)
      if (isDrop !== undefined) continue
      const purpose = comment.replace(/^-- ?/gm, '').trim().replaceAll(/\s+/g, ' ')
      functions.set(name, {
        name,
        owner: path.replace(/(\/server)?\/migrations\/.*/, ''),
        path,
        purpose: purpose === '' ? (earlier?.purpose ?? '') : purpose,
        replaced: earlier === undefined ? 0 : earlier.replaced + 1,
      })
    }
  }
  return [...functions.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** @param {SqlFunction[]} functions */
function toMarkdown(functions) {
  const owners = [...new Set(functions.map(({ owner }) => owner))].sort()
  const sections = owners.map((owner) => {
    const rows = functions
      .filter((each) => each.owner === owner)
      .map(
        ({ name, path, purpose, replaced }) =>
          `| \`${name}\` | [${basename(path, '.sql')}](../../${path}) | ${replaced === 0 ? '' : replaced} | ${purpose.replaceAll('|', '\\|')} |`,
      )
    return `## ${owner}\n\n| function | definition in effect | earlier definitions | purpose |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`
  })
  return `# SQL functions\n\nGenerated from the migrations by \`node tools/generate-sql-functions.mjs\`. Released migrations stay unchanged, so a changed function has several
definitions; only the newest is in effect. [Weaker locks](../../features/runs/server/migrations/2026-11-28T2345-weaker-locks-of-runs.sql) changes the locks in the
functions of runs that were written before it.\n\n${sections.join('\n')}`
}

async function main() {
  const paths = globSync(['features/*/server/migrations/*.sql', 'packages/*/migrations/*.sql'], { cwd: root })
  const functions = readSqlFunctions(
    paths.map((path) => ({ path, sql: readFileSync(join(root, path), 'utf8') })),
  )
  const options = await prettier.resolveConfig(file)
  const text = await prettier.format(toMarkdown(functions), { ...options, parser: 'markdown' })
  if (!process.argv.includes('--check')) return writeFileSync(file, text)
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  process.stderr.write(
    'docs/reference/sql-functions.md is outdated. Run: node tools/generate-sql-functions.mjs\n',
  )
  process.exitCode = 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
