// The import rules: which folder may import which, and whose tables SQL may name. Prints each violation with the rule that it breaks.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'
import { lineAt, readSchema, sqlNames, sqlNamesOfCode } from './sql-names.mjs'

const projectFolder = fileURLToPath(new URL('..', import.meta.url))

/**
 * @typedef {object} Location Location of a file in the repository.
 * @property {'packages' | 'kit' | 'features' | 'apps' | 'outside'} layer
 * @property {string} workspace name of the package, shared module, feature or app
 * @property {string} part of a feature: contract, core, server or web; of a shared module or app: its side, if it has
 *   one
 * @property {boolean} isTest
 * @property {string} path relative to the project, with `/`
 *
 * @typedef {object} Import
 * @property {string} name as it is written
 * @property {number} line
 * @property {string[]} values names imported as values; types are omitted
 * @property {boolean} isLazy an `import('…')` within the code
 *
 * @typedef {object} Violation
 * @property {string} file
 * @property {number} line
 * @property {'imports' | 'names' | 'casts to'} verb
 * @property {string} name the import as it is written, the table, or the type
 * @property {string} rule
 */

/**
 * Checks every source file of the project.
 * @param {string} [folder] of the project
 * @returns {Violation[]}
 */
export function checkImportRules(folder = projectFolder) {
  const repository = readRepository(folder)
  const files = sourceFiles(folder).map((file) => readSource(file, repository))
  return [
    ...files.flatMap((source) => checkFile(source, repository)),
    ...checkCycles(files).map((violation) => ({ verb: 'imports', ...violation })),
    ...files.flatMap((source) => checkTables(source, repository)),
    ...files.flatMap(checkCasts),
    ...checkViews(repository),
  ]
}

/** Reads the workspaces, their entry points and the dependency order. */
function readRepository(folder) {
  const workspaces = new Map()
  for (const layer of ['packages', 'kit', 'features', 'apps']) {
    for (const workspace of foldersOf(join(folder, layer))) {
      const manifest = join(folder, layer, workspace, 'package.json')
      if (!existsSync(manifest)) continue
      const { name, exports = {} } = JSON.parse(readFileSync(manifest, 'utf8'))
      workspaces.set(name, { folder: join(folder, layer, workspace), exports })
    }
  }
  const order = JSON.parse(readFileSync(join(folder, 'features', 'order.json'), 'utf8'))
  const entryPoints = new Set()
  for (const { folder: workspace, exports } of workspaces.values())
    for (const target of Object.values(exports))
      if (!target.includes('*')) entryPoints.add(join(workspace, target))
  return { folder, workspaces, order, entryPoints, schema: readSchema(join(folder, 'features')) }
}

/** Reads a file, with the file that each of its imports resolves to, and the tables that its SQL names. */
function readSource(file, repository) {
  const { imports, isBarrel, tables, casts } = readFile(file)
  const resolved = imports.map((wanted) => ({
    ...wanted,
    target: resolveImport(wanted.name, file, repository),
  }))
  return { file, from: locationOf(file, repository), imports: resolved, isBarrel, tables, casts }
}

function checkFile({ file, from, imports, isBarrel }, repository) {
  const violations = imports.flatMap((wanted) => {
    const { target } = wanted
    const rule =
      target === undefined ? brokenRuleOutside(from, wanted) : brokenRule(from, target, wanted, repository)
    return rule ? [{ file: from.path, line: wanted.line, verb: 'imports', name: wanted.name, rule }] : []
  })
  if (isBarrel && from.layer !== 'outside' && !repository.entryPoints.has(file)) {
    const rule = 'Only entry points re-export other files. Import from the file that defines what you need.'
    violations.push({ file: from.path, line: 1, verb: 'imports', name: from.path, rule })
  }
  return violations
}

/** Tests may write rows of every feature. */
function checkTables({ from, tables }, repository) {
  if (from.isTest || from.layer === 'outside') return []
  const feature = from.layer === 'features' ? from.workspace : undefined
  return tables.flatMap((table) => {
    const rule = brokenTableRule(feature, table, repository)
    return rule ? [{ file: from.path, line: table.line, verb: 'names', name: table.name, rule }] : []
  })
}

/** Types that only one feature makes, after it has checked access. The compiler refuses anything else but a cast. */
const guardedTypes = { AccessScope: 'groups' }

function checkCasts({ from, casts }) {
  return casts.flatMap(({ name, line }) => {
    const feature = guardedTypes[name]
    if (feature === undefined || (from.layer === 'features' && from.workspace === feature)) return []
    const rule = `Only features/${feature} makes values of the type ${name}. Take one as a parameter.`
    return [{ file: from.path, line, verb: 'casts to', name, rule }]
  })
}

/** Checks the views themselves: a view of a foreign table would hide the dependency. */
function checkViews(repository) {
  return repository.schema.views.flatMap(({ file, feature, sql, line }) =>
    sqlNames(sql).flatMap((table) => {
      const rule = brokenTableRule(feature, table, repository)
      const { path } = locationOf(file, repository)
      return rule ? [{ file: path, line, verb: 'names', name: table.name, rule }] : []
    }),
  )
}

/** Returns the rule that SQL of a feature breaks by naming a table or view; without a feature it is code outside of features. */
function brokenTableRule(feature, { name, isWritten }, { schema, order }) {
  const owned = schema.owners.get(name)
  if (owned === undefined || owned.feature === feature) return undefined
  if (isWritten)
    return `SQL writes only tables of its own feature. ${name} belongs to ${owned.feature}: call that feature.`
  if (owned.isExported) {
    const isLater = feature !== undefined && order.indexOf(owned.feature) > order.indexOf(feature)
    return isLater
      ? `${owned.feature} comes after ${feature} in features/order.json. SQL reads views of earlier features only.`
      : undefined
  }
  const exported = [...schema.owners].filter(([, each]) => each.feature === owned.feature && each.isExported)
  const offer = exported.length === 0 ? '' : ` It exports ${exported.map(([view]) => view).join(', ')}.`
  return (
    `SQL names only tables of its own feature and views that others export, because ${owned.feature} can change ${name} ` +
    `at any time.${offer} The README of a feature lists the views that it exports.`
  )
}

/** Returns the rule that an import from outside the repository breaks. */
function brokenRuleOutside({ layer, workspace, part, isTest }, { name }) {
  if (isTest || !name.startsWith('node:')) return undefined
  if (layer === 'packages' && purePackages.includes(workspace))
    return `The package ${workspace} also runs in the browser. It cannot import Node modules.`
  if (layer === 'features' && part === 'core')
    return 'Files in core/ run on the server and in the browser. They cannot import Node modules.'
  return undefined
}

/**
 * Returns the first rule that an import breaks, or undefined.
 * @param {Location} from
 * @param {{ location: Location, file: string, isByName: boolean }} target
 * @param {Import} wanted
 */
function brokenRule(from, target, wanted, repository) {
  const to = target.location
  if (from.layer === 'outside' || to.layer === 'outside') return undefined
  if (from.layer === to.layer && from.workspace === to.workspace) return ruleInside(from, to, wanted)

  if (!target.isByName)
    return 'Import another workspace by its name (@headwater/…), not by a path into its folder.'
  const layers = ['packages', 'kit', 'features', 'apps']
  if (from.isTest && testEntryPoints.includes(to.path)) return undefined
  if (layers.indexOf(to.layer) > layers.indexOf(from.layer)) {
    return `packages ← kit ← features ← apps: ${from.layer} cannot import ${to.layer}.`
  }
  if (testEntryPoints.includes(to.path) && !testEntryPoints.includes(from.path))
    return 'Only tests can import test entry points.'
  const isPure =
    to.layer === 'packages' && (purePackages.includes(to.workspace) || pureEntryPoints.includes(to.path))
  if (from.layer === 'packages' && purePackages.includes(from.workspace))
    return `The package ${from.workspace} has pure functions only. It cannot import other packages.`
  if (from.layer === 'packages' && !isPure)
    return 'A package can import pure packages only, so that each package can be published alone.'
  if (from.layer === 'apps' && to.layer === 'apps') return 'Apps cannot import each other.'

  if (from.part === 'contract' && to.part !== 'contract' && !isPure) return contractRule
  if (from.part === 'core' && !['contract', 'core'].includes(to.part) && !isPure) return coreRule
  if (areOpposite(from, to)) return sidesRule
  if (to.layer === 'features') return ruleIntoFeature(from, target, wanted, repository)
  if (createsEngine(from, to, wanted)) return engineRule
  return undefined
}

const testEntryPoints = [
  'apps/server/src/testing.ts',
  'features/tasks/server/packages/testing/wheels.ts',
  'features/tile-data/server/testing/read-tile-data.ts',
  'kit/server/src/testing/index.ts',
  'packages/formula/test/index.ts',
  'packages/timeseries/test/chdb-server.ts',
]

/**
 * Packages of pure functions. They run in the browser and on the server, and import neither Node modules nor other workspaces.
 * Contracts, core files and other packages may import them.
 */
const purePackages = ['csv', 'formula', 'zones']

/** Entry points with pure functions, of packages that otherwise need a browser. The same files may import them. */
const pureEntryPoints = ['packages/charts/src/values.ts']

const contractRule =
  'A contract can import contracts and pure packages only, because the server and the browser both load it.'
const coreRule =
  'Files in core/ can import contracts, core files and pure packages only, because the server and the browser both run them.'
const sidesRule = 'Server and web files cannot import each other. They share contracts and core files.'
const engineRule =
  'Only compose.ts and tests create features and engines. Take the existing one as a parameter.'

function areOpposite(from, to) {
  const sides = [from.part, to.part]
  return sides.includes('server') && sides.includes('web')
}

function ruleInside(from, to, wanted) {
  if (from.part === 'contract' && to.part !== 'contract') return contractRule
  if (from.part === 'core' && !['contract', 'core'].includes(to.part)) return coreRule
  if (areOpposite(from, to)) return sidesRule
  if (from.layer !== 'features' || from.part !== 'server' || from.isTest) return undefined
  const order = ['store', 'service', 'routes']
  const [here, there] = [serverLayerOf(from.path), serverLayerOf(to.path)]
  // A route may name the type of what its service returns, even if the store defines that type.
  if (here === 'routes' && there === 'store' && wanted.values.length > 0)
    return 'routes → service → store: routes call a service, not a store.'
  if (order.indexOf(here) >= 0 && order.indexOf(there) > order.indexOf(here)) {
    return `routes → service → store: a ${here} cannot import ${there === 'routes' ? 'routes' : 'a service'}.`
  }
  const pathInFeature = from.path.split('/').slice(3).join('/')
  const isEntryPoint = ['index.ts', `create-${from.workspace}.ts`].includes(pathInFeature)
  const createsStore = there === 'store' && wanted.values.some((name) => /^create[A-Z]\w*Store$/.test(name))
  if (createsStore && !isEntryPoint && here !== 'store') {
    return 'Only the entry point of a feature and tests create its stores.'
  }
  return undefined
}

function ruleIntoFeature(from, target, wanted, { order, entryPoints }) {
  const to = target.location
  if (!entryPoints.has(target.file)) {
    return `Import the feature ${to.workspace} through its entry points only: contract, core, server or web.`
  }
  // A test uses the whole server, which contains every feature.
  if (from.layer !== 'features' || from.isTest) return undefined
  for (const feature of [from.workspace, to.workspace]) {
    if (!order.includes(feature)) return `The feature ${feature} is not in features/order.json. Add it there.`
  }
  if (order.indexOf(to.workspace) > order.indexOf(from.workspace)) {
    return (
      `${to.workspace} comes after ${from.workspace} in features/order.json. A feature uses only those before it; ` +
      'the earlier one calls back through events or functions it is given.'
    )
  }
  return createsEngine(from, to, wanted) ? engineRule : undefined
}

/** Returns whether server code of a feature creates another feature, a store, a service or an engine. */
function createsEngine(from, to, wanted) {
  if (from.layer !== 'features' || from.part !== 'server' || from.isTest) return false
  if (to.layer === 'kit') return wanted.values.some((name) => /^(open|start)[A-Z]/.test(name))
  if (to.layer === 'features')
    return to.part === 'server' && wanted.values.some((name) => /^create[A-Z]/.test(name))
  return wanted.values.some((name) =>
    /^(create|open|start)[A-Z]\w*(Engine|Store|Service|Queue|Worker|Server)$/.test(name),
  )
}

/** The layer inside the server of a feature: routes, service or store. */
function serverLayerOf(path) {
  return (
    /-(routes|service|store)\.ts$/.exec(path)?.[1] ?? (path.endsWith('-read-model.ts') ? 'store' : undefined)
  )
}

/**
 * Folder cycles that existed when the rule was introduced: the number of imports between folders (each pair of folders counts once) that
 * are part of a cycle, by the folder that contains them. Lower a number when the cycle shrinks, and remove the line at 0. Never raise one.
 */
const allowedFolderCycles = {}

/** Finds cycles of value imports between files, and between sibling folders. */
function checkCycles(sources) {
  const paths = new Map(sources.map(({ file, from }) => [file, from.path]))
  const valueImports = sources.flatMap(({ from, imports }) =>
    imports.flatMap(({ values, isLazy, line, name, target }) => {
      const to = target && paths.get(target.file)
      const counts = to !== undefined && to !== from.path && values.length > 0
      return counts ? [{ from: from.path, to, line, name, isLazy, isTest: from.isTest }] : []
    }),
  )
  return [...fileCycles(valueImports), ...folderCycles(valueImports)]
}

/** A lazy import may complete a cycle of files, because it runs when both files are loaded. */
function fileCycles(valueImports) {
  return edgesInCycles(valueImports.filter(({ isLazy }) => !isLazy)).map(({ from, to, line, name }) => ({
    file: from,
    line,
    name,
    rule: `${from} and ${to} import each other, directly or through other files. Move what both need into a third file.`,
  }))
}

function folderCycles(valueImports) {
  const edges = new Map()
  for (const wanted of valueImports) {
    const folders = wanted.isTest ? undefined : siblingFolders(wanted.from, wanted.to)
    if (folders !== undefined) edges.set(folders.join(' '), { from: folders[0], to: folders[1], wanted })
  }
  const byParent = Map.groupBy(edgesInCycles([...edges.values()]), ({ from }) => dirname(from))
  return [...byParent].flatMap(([parent, cycles]) => {
    const allowed = allowedFolderCycles[parent] ?? 0
    if (cycles.length <= allowed) return []
    const pairs = cycles.map(({ from, to }) => `${from} → ${to}`).toSorted()
    const { from: file, line, name } = cycles[0].wanted
    const rule =
      `Folders in ${parent} import each other in cycles: ${pairs.length} imports between folders, ${allowed} are allowed. ` +
      `Move what both need into one of them or into a third folder. ${pairs.join(', ')}`
    return [{ file, line, name, rule }]
  })
}

/**
 * Returns the two sibling folders through which one file imports another; undefined when one file is in a parent folder
 * of the other. Other rules refuse cycles between workspaces.
 */
function siblingFolders(from, to) {
  const [here, there] = [from.split('/'), to.split('/')]
  const depth = here.findIndex((part, index) => part !== there[index])
  const areFolders = depth > 1 && depth < here.length - 1 && depth < there.length - 1
  return areFolders ? [here, there].map((parts) => parts.slice(0, depth + 1).join('/')) : undefined
}

/** Returns the edges whose two ends reach each other (Tarjan's strongly connected components). */
function edgesInCycles(edges) {
  const targets = Map.groupBy(edges, ({ from }) => from)
  const order = new Map()
  const lowest = new Map()
  const component = new Map()
  const stack = []
  const visit = (node) => {
    order.set(node, order.size)
    lowest.set(node, order.get(node))
    stack.push(node)
    for (const { to } of targets.get(node) ?? []) {
      if (!order.has(to)) visit(to)
      if (!component.has(to)) lowest.set(node, Math.min(lowest.get(node), lowest.get(to)))
    }
    if (lowest.get(node) !== order.get(node)) return
    for (const member of stack.splice(stack.indexOf(node))) component.set(member, node)
  }
  for (const node of targets.keys()) if (!order.has(node)) visit(node)
  return edges.filter(({ from, to }) => component.get(from) === component.get(to))
}

/** @returns {Location} */
function locationOf(file, { folder }) {
  const path = relative(folder, file).split(sep).join('/')
  const [layer = '', workspace = '', third = ''] = path.split('/')
  const isTest = /\.test\.tsx?$|\/(test|tests|testing|bench)\//.test(path)
  if (!['packages', 'kit', 'features', 'apps'].includes(layer))
    return { layer: 'outside', workspace, part: '', isTest, path }
  const part = layer === 'features' ? third : layer === 'packages' ? '' : workspace
  return { layer, workspace, part, isTest, path }
}

/** Returns the file that an import resolves to; undefined for third-party packages and files that are not source. */
function resolveImport(name, file, repository) {
  if (name.startsWith('.')) {
    const path = resolve(dirname(file), name)
    return { file: path, location: locationOf(path, repository), isByName: false }
  }
  const parts = name.split('/')
  const workspaceName = name.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]
  const workspace = repository.workspaces.get(workspaceName)
  if (workspace === undefined) return undefined
  const wanted = `.${name.slice(workspaceName.length)}`
  const path = join(workspace.folder, exportTarget(workspace.exports, wanted) ?? wanted)
  return { file: path, location: locationOf(path, repository), isByName: true }
}

function exportTarget(exports, wanted) {
  if (exports[wanted] !== undefined) return exports[wanted]
  for (const [pattern, target] of Object.entries(exports)) {
    const [before, after] = pattern.split('*')
    if (after !== undefined && wanted.startsWith(before))
      return target.replace('*', wanted.slice(before.length))
  }
  return undefined
}

/**
 * Reads every import of a file, static or lazy, of values or of types, whether the file only re-exports others, the tables that its SQL
 * names, and the types that it casts to.
 */
function readFile(file) {
  const source = readFileSync(file, 'utf8')
  const { program, module } = parseSync(file, source)
  const lineOf = (offset) => lineAt(source, offset)
  const imports = []
  for (const { start, moduleRequest, entries } of module.staticImports) {
    // An import without names runs the file, so it counts as a value.
    const values =
      entries.length === 0
        ? ['*']
        : entries.filter((entry) => !entry.isType).map((entry) => entry.importName.name ?? '*')
    imports.push({ name: moduleRequest.value, line: lineOf(start), values, isLazy: false })
  }
  for (const { start, entries } of module.staticExports) {
    for (const name of new Set(entries.flatMap((entry) => entry.moduleRequest?.value ?? []))) {
      const values = entries.filter((entry) => !entry.isType).map((entry) => entry.importName.name ?? '*')
      imports.push({ name, line: lineOf(start), values, isLazy: false })
    }
  }
  for (const { name, start, isType } of importExpressions(program))
    imports.push({ name, line: lineOf(start), values: isType ? [] : ['*'], isLazy: true })
  const isBarrel =
    program.body.length > 0 &&
    program.body.every((node) => /^Export(All|Named)/.test(node.type) && node.source)
  const tables = sqlNamesOfCode(program).map((each) => ({ ...each, line: lineOf(each.offset) }))
  const casts = castsIn(program).map(({ name, start }) => ({ name, line: lineOf(start) }))
  return { imports, isBarrel, tables, casts }
}

/** Finds imports within the code: `import('…')`, as a value or as a type. */
function importExpressions(node) {
  if (node === null || typeof node !== 'object') return []
  if (Array.isArray(node)) return node.flatMap(importExpressions)
  const inside = Object.values(node).flatMap(importExpressions)
  if (node.type !== 'ImportExpression' && node.type !== 'TSImportType') return inside
  const literal = node.source ?? node.argument
  const name = literal?.value ?? literal?.literal?.value
  const isType = node.type === 'TSImportType'
  return typeof name === 'string' ? [{ name, start: node.start, isType }, ...inside] : inside
}

/** Finds casts to a named type: `value as Name`. */
function castsIn(node) {
  if (node === null || typeof node !== 'object') return []
  if (Array.isArray(node)) return node.flatMap(castsIn)
  const inside = Object.values(node).flatMap(castsIn)
  const name = node.type === 'TSAsExpression' ? node.typeAnnotation.typeName?.name : undefined
  return name === undefined ? inside : [{ name, start: node.start }, ...inside]
}

function sourceFiles(folder) {
  return ['packages', 'kit', 'features', 'apps', 'tests', 'bench'].flatMap((name) =>
    filesUnder(join(folder, name)),
  )
}

function filesUnder(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : filesUnder(path)
    return /\.(ts|tsx|mjs|js)$/.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : []
  })
}

function foldersOf(folder) {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const violations = checkImportRules()
  for (const { file, line, verb, name, rule } of violations)
    console.error(`${file}:${line} ${verb} ${name}\n  ${rule}`)
  console.log(
    violations.length === 0
      ? 'Import rules: no violations.'
      : `Import rules: ${violations.length} violations.`,
  )
  process.exitCode = violations.length === 0 ? 0 : 1
}
