// Prints how many exported declarations, interface members and contract fields have a description, per folder.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseSync } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))

/** @typedef {{ name: string, file: string, line: number, isDescribed: boolean }} Item */

/**
 * Lists the exported declarations of a file and the members of its exported interfaces and object types.
 * @param {string} path of the file
 * @param {string} [source] its text
 * @returns {{ declarations: Item[], members: Item[] }}
 */
export function exportedItems(path, source = readFileSync(path, 'utf8')) {
  const { program, comments } = parseSync(path, source)
  const docEnds = comments.filter(({ value }) => value.startsWith('*')).map(({ end }) => end)
  const isDescribed = ({ start }) =>
    docEnds.some((end) => end <= start && source.slice(end, start).trim() === '')
  const item = (name, node, outer = node) => ({
    name,
    file: relative(root, path).split(sep).join('/'),
    line: source.slice(0, node.start).split('\n').length,
    isDescribed: isDescribed(node) || isDescribed(outer),
  })
  const declarations = []
  const members = []
  for (const statement of program.body) {
    const declaration = /^Export(Named|Default)Declaration$/.test(statement.type) && statement.declaration
    if (!declaration) continue
    for (const name of namesOf(declaration)) declarations.push(item(name, statement, declaration))
    const body = declaration.body?.body ?? declaration.typeAnnotation?.members
    const isType = ['TSInterfaceDeclaration', 'TSTypeAliasDeclaration'].includes(declaration.type)
    for (const member of (isType && body) || [])
      if (member.key)
        members.push(item(`${declaration.id.name}.${member.key.name ?? member.key.value}`, member))
  }
  // `export const user = …` and `export type User = …` share the description of the first one.
  const described = new Set(declarations.filter(({ isDescribed }) => isDescribed).map(({ name }) => name))
  for (const each of declarations) each.isDescribed ||= described.has(each.name)
  return { declarations, members }
}

function namesOf({ id, declarations }) {
  if (id) return [id.name]
  return (declarations ?? []).flatMap((each) => (each.id?.name ? [each.id.name] : []))
}

/** Lists the fields of the schemas that the contract of a feature exports, directly or through its routes. */
async function contractFields(feature) {
  const path = join(root, 'features', feature, 'contract', 'index.ts')
  if (!existsSync(path)) return []
  const contract = await import(pathToFileURL(path).href)
  const fields = new Map()
  const seen = new Set()
  const visit = (schema, name) => {
    if (schema === null || typeof schema !== 'object' || seen.has(schema)) return
    seen.add(schema)
    const def = schema.def ?? schema._zod?.def
    if (def?.type === 'object') {
      for (const [key, field] of Object.entries(def.shape)) {
        const member = `${name}.${key}`
        if (!fields.has(member)) fields.set(member, { name: member, isDescribed: hasDescription(field) })
        visit(field, member)
      }
      return
    }
    for (const inner of innerSchemas(def)) visit(inner, name)
  }
  for (const [name, value] of Object.entries(contract)) {
    if (value?.method && value?.path)
      for (const part of ['params', 'query', 'body', 'output']) visit(value[part], `${name}.${part}`)
    else visit(value, name)
  }
  return [...fields.values()]
}

function innerSchemas(def) {
  if (def === undefined) return []
  return [
    def.innerType,
    def.element,
    def.valueType,
    def.in,
    def.out,
    def.left,
    def.right,
    ...(def.options ?? []),
    ...(def.items ?? []),
  ]
}

/** A description can be on the schema or on the schema that it wraps, as in `z.string().describe(…).optional()`. */
function hasDescription(schema) {
  if (schema?.description) return true
  const inner = schema?.def?.innerType ?? schema?.def?.in
  return inner !== undefined && hasDescription(inner)
}

function sourceFiles(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory())
      return ['node_modules', 'dist', 'test', 'bench'].includes(entry.name) ? [] : sourceFiles(path)
    return /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$|\.d\.ts$/.test(entry.name) ? [path] : []
  })
}

function share(items) {
  if (items.length === 0) return '–'
  const described = items.filter(({ isDescribed }) => isDescribed).length
  return `${described} of ${items.length} (${Math.floor((100 * described) / items.length)}%)`
}

/** With paths as arguments, lists what has no description there. */
async function main(paths) {
  const rows = []
  for (const layer of ['packages', 'kit', 'features', 'apps']) {
    for (const name of readdirSync(join(root, layer)).toSorted()) {
      const folder = `${layer}/${name}`
      if (!existsSync(join(root, folder, 'package.json'))) continue
      const items = sourceFiles(join(root, folder)).map((path) => exportedItems(path))
      const declarations = items.flatMap((each) => each.declarations)
      const members = items.flatMap((each) => each.members)
      const fields = layer === 'features' ? await contractFields(name) : []
      rows.push([folder, share(declarations), share(members), share(fields)])
      if (!paths.some((path) => `${folder}/`.startsWith(path) || path.startsWith(`${folder}/`))) continue
      for (const { name: item, file, line, isDescribed } of [...declarations, ...members])
        if (!isDescribed && paths.some((path) => file.startsWith(path)))
          console.log(`${file}:${line} ${item}`)
      for (const { name: field, isDescribed } of fields)
        if (!isDescribed) console.log(`${folder}/contract ${field}`)
    }
  }
  const header = ['folder', 'exported declarations', 'members of exported types', 'contract fields']
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column].length)))
  for (const row of [header, ...rows])
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2))
