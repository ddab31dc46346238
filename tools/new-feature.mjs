// Creates a new feature in the shape of the others. It passes every check before you change anything.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const templates = fileURLToPath(new URL('./new-feature', import.meta.url))
const ending = '.txt'

/**
 * Writes the files of a new feature and appends it to the dependency order, unless it is listed there.
 * @param {string} folder of the project
 * @param {string} name plural, in kebab case, for example `price-alerts`
 * @param {{ one?: string, now: Date }} options `one` is the singular; the default is the name without its last s
 * @returns {{ files: string[], wiring: string }} the files written, and the remaining steps
 */
export function createFeature(folder, name, { one = singularOf(name), now }) {
  const terms = termsOf(name, one)
  const feature = join(folder, 'features', name)
  if (existsSync(feature)) throw new Error(`The feature ${name} exists. Choose another name.`)

  const files = templateFiles(templates).map((template) => {
    const path = fill(template.slice(templates.length + 1, -ending.length), /__(\w+?)__/g, {
      ...terms,
      stamp: now.toISOString().slice(0, 16).replace(':', ''),
    })
    const file = join(feature, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, fill(readFileSync(template, 'utf8'), /\{\{(\w+)\}\}/g, terms))
    return file
  })
  appendToOrder(join(folder, 'features', 'order.json'), name)
  return { files, wiring: wiringOf(terms) }
}

function singularOf(name) {
  if (name.endsWith('s')) return name.slice(0, -1)
  throw new Error(
    `The name of a feature must be a plural that ends in s. Otherwise pass the singular of ${name}: --one=…`,
  )
}

/** The name in every spelling that code and sentences need. */
function termsOf(name, one) {
  for (const text of [name, one]) {
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(text)) {
      throw new Error(
        `“${text}” cannot name a feature. Use lower-case letters and digits, joined by -, such as price-alerts.`,
      )
    }
  }
  if (name === one) throw new Error('The plural and the singular must differ.')
  return {
    kebab: name,
    kebabOne: one,
    snake: name.replaceAll('-', '_'),
    names: camel(name),
    one: camel(one),
    Names: capital(camel(name)),
    One: capital(camel(one)),
    plural: name.replaceAll('-', ' '),
    singular: one.replaceAll('-', ' '),
    Plural: capital(name.replaceAll('-', ' ')),
  }
}

function camel(text) {
  return text.replace(/-(.)/g, (_, letter) => letter.toUpperCase())
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1)
}

function fill(text, placeholder, terms) {
  return text.replace(placeholder, (_, key) => terms[key])
}

function templateFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? templateFiles(path) : entry.name.endsWith(ending) ? [path] : []
  })
}

function appendToOrder(orderFile, name) {
  const order = JSON.parse(readFileSync(orderFile, 'utf8'))
  if (order.includes(name)) return
  writeFileSync(orderFile, `${JSON.stringify([...order, name], null, 2)}\n`)
}

function wiringOf({ kebab, Names, names }) {
  return `Next steps:
  1. features/order.json: move ${kebab} to its position. A feature uses only those before it.
  2. apps/server/src/compose.ts: import { create${Names}, migrationsFolder as ${names}Migrations } from
     '@headwater/${kebab}/server', add the folder to migrationsFolders, and after the other features call
     create${Names}({ database, clock }).registerRoutes(router).
  3. apps/web/src/features.ts: import { ${names}Web } from '@headwater/${kebab}/web' and add it to the list.
  4. features/${kebab}/README.md: describe its purpose.`
}
