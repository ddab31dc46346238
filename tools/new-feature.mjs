// Makes a new room in the shape of the others. It passes every check as it is; what is special about it comes after.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const templates = fileURLToPath(new URL('./new-feature', import.meta.url))
const ending = '.txt'

/**
 * Writes the files of a new room and gives it the last place on the ladder, unless it has one.
 * @param {string} folder of the project
 * @param {string} name plural, in kebab case, for example `price-alerts`
 * @param {{ one?: string, now: Date }} options `one` is the singular, by default the name without its last s
 * @returns {{ files: string[], wiring: string }} what was written, and what is left to do by hand
 */
export function createFeature(folder, name, { one = singularOf(name), now }) {
  const words = wordsOf(name, one)
  const room = join(folder, 'features', name)
  if (existsSync(room)) throw new Error(`There is a feature ${name} already.`)

  const files = templateFiles(templates).map((template) => {
    const path = filled(template.slice(templates.length + 1, -ending.length), /__(\w+?)__/g, {
      ...words,
      stamp: now.toISOString().slice(0, 16).replace(':', ''),
    })
    const file = join(room, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, filled(readFileSync(template, 'utf8'), /\{\{(\w+)\}\}/g, words))
    return file
  })
  climb(join(folder, 'features', 'ladder.json'), name)
  return { files, wiring: wiringOf(words) }
}

function singularOf(name) {
  if (name.endsWith('s')) return name.slice(0, -1)
  throw new Error(`The name of a feature is a plural. Name the singular of ${name} too: --one=…`)
}

/** The name in every spelling that code and sentences need. */
function wordsOf(name, one) {
  for (const text of [name, one]) {
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(text)) {
      throw new Error(
        `“${text}” is no name of a feature: small letters and digits, words joined by -, such as price-alerts.`,
      )
    }
  }
  if (name === one) throw new Error('Plural and singular have to differ.')
  return {
    kebab: name,
    kebabOne: one,
    snake: name.replaceAll('-', '_'),
    names: camel(name),
    one: camel(one),
    Names: capital(camel(name)),
    One: capital(camel(one)),
    words: name.replaceAll('-', ' '),
    word: one.replaceAll('-', ' '),
    Words: capital(name.replaceAll('-', ' ')),
  }
}

function camel(text) {
  return text.replace(/-(.)/g, (_, letter) => letter.toUpperCase())
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1)
}

function filled(text, placeholder, words) {
  return text.replace(placeholder, (_, key) => words[key])
}

function templateFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? templateFiles(path) : entry.name.endsWith(ending) ? [path] : []
  })
}

function climb(ladderFile, name) {
  const ladder = JSON.parse(readFileSync(ladderFile, 'utf8'))
  if (ladder.includes(name)) return
  writeFileSync(ladderFile, `${JSON.stringify([...ladder, name], null, 2)}\n`)
}

function wiringOf({ kebab, Names, names }) {
  return `Left to do, because it is yours to decide:
  1. features/ladder.json: give ${kebab} its place; a room uses only those before it.
  2. apps/server/src/compose.ts: import { create${Names}, migrationsFolder as ${names}Migrations } from
     '@headwater/${kebab}/server', add the folder to migrationsFolders, and after the other rooms
     create${Names}({ database, clock }).registerRoutes(router).
  3. apps/web/src/rooms.ts: import { ${names}Web } from '@headwater/${kebab}/web' and add it to the rooms.
  4. features/${kebab}/README.md: say what it is for.`
}
