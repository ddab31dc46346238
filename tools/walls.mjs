// The walls of the house: which folder may import which. Each broken import is printed with its rule in words.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

const projectFolder = fileURLToPath(new URL('..', import.meta.url))

/**
 * @typedef {object} Place Where a file stands in the house.
 * @property {'packages' | 'kit' | 'features' | 'apps' | 'outside'} floor
 * @property {string} room name of the package, brick, feature or app
 * @property {string} part of a feature: contract, core, server or web; of another room its side, if it has one
 * @property {boolean} isTest
 * @property {string} path relative to the project, with `/`
 *
 * @typedef {object} Import
 * @property {string} name as it is written
 * @property {number} line
 * @property {string[]} values names imported as values; types are left out
 *
 * @typedef {object} Violation
 * @property {string} file
 * @property {number} line
 * @property {string} name the import as it is written
 * @property {string} rule in words
 */

/**
 * Checks every source file of the project.
 * @param {string} [folder] of the project
 * @returns {Violation[]}
 */
export function checkWalls(folder = projectFolder) {
  const house = readHouse(folder)
  return sourceFiles(folder).flatMap((file) => checkFile(file, house))
}

/** The house as the rules see it. */
function readHouse(folder) {
  const workspaces = new Map()
  for (const floor of ['packages', 'kit', 'features', 'apps']) {
    for (const room of foldersOf(join(folder, floor))) {
      const manifest = join(folder, floor, room, 'package.json')
      if (!existsSync(manifest)) continue
      const { name, exports = {} } = JSON.parse(readFileSync(manifest, 'utf8'))
      workspaces.set(name, { folder: join(folder, floor, room), exports })
    }
  }
  const ladder = JSON.parse(readFileSync(join(folder, 'features', 'ladder.json'), 'utf8'))
  const doors = new Set()
  for (const { folder: room, exports } of workspaces.values())
    for (const target of Object.values(exports)) if (!target.includes('*')) doors.add(join(room, target))
  return { folder, workspaces, ladder, doors }
}

function checkFile(file, house) {
  const from = placeOf(file, house)
  const { imports, isBarrel } = readImports(file)
  const violations = imports.flatMap((wanted) => {
    const target = resolveImport(wanted.name, file, house)
    const rule =
      target === undefined ? brokenRuleOutside(from, wanted) : brokenRule(from, target, wanted, house)
    return rule ? [{ file: from.path, line: wanted.line, name: wanted.name, rule }] : []
  })
  if (isBarrel && from.floor !== 'outside' && !house.doors.has(file)) {
    const rule = 'Only doors collect the exports of other files; import from the file that has what you need.'
    violations.push({ file: from.path, line: 1, name: from.path, rule })
  }
  return violations
}

/** The rule that an import of something outside of the house breaks. */
function brokenRuleOutside({ floor, room, part, isTest }, { name }) {
  if (isTest || !name.startsWith('node:')) return undefined
  if (part === 'core') return coreRule
  return floor === 'packages' && purePackages.includes(room)
    ? `The package ${room} runs in the browser, too: it imports nothing of Node.`
    : undefined
}

/**
 * The first rule that an import breaks, in words; undefined when it breaks none.
 * @param {Place} from
 * @param {{ place: Place, file: string, byName: boolean }} target
 * @param {Import} wanted
 */
function brokenRule(from, target, wanted, house) {
  const to = target.place
  if (from.floor === 'outside' || to.floor === 'outside') return undefined
  if (from.floor === to.floor && from.room === to.room) return ruleInside(from, to, wanted)

  if (!target.byName)
    return 'Another room is imported by its name (@headwater/…), not by a path into its folder.'
  const floors = ['packages', 'kit', 'features', 'apps']
  if (from.isTest && testDoors.includes(to.path)) return undefined
  if (floors.indexOf(to.floor) > floors.indexOf(from.floor)) {
    return `packages ← kit ← features ← apps: ${from.floor} never import ${to.floor}.`
  }
  if (testDoors.includes(to.path) && !testDoors.includes(from.path))
    return 'What is there for tests is imported by tests only.'
  const isPure = to.floor === 'packages' && purePackages.includes(to.room)
  if (from.floor === 'packages' && purePackages.includes(from.room))
    return `The package ${from.room} is one of pure functions: it imports no other package.`
  if (from.floor === 'packages' && !isPure)
    return 'Packages do not know each other, except those of pure functions; each could be published alone.'
  if (from.floor === 'apps' && to.floor === 'apps') return 'Front doors do not know each other.'

  if (from.part === 'contract' && to.part !== 'contract' && !isPure) {
    return 'A contract imports contracts only, and packages of pure functions: both sides run it.'
  }
  if (from.part === 'core' && to.part !== 'contract' && !isPure) return coreRule
  const opposite = { server: 'web', web: 'server' }[from.part]
  if (opposite !== undefined && to.part === opposite)
    return 'Server and web never meet; they share contracts only.'
  if (to.floor === 'features') return ruleIntoFeature(from, target, wanted, house)
  if (createsEngine(from, to, wanted)) return engineRule
  return undefined
}

const testDoors = [
  'apps/server/src/testing.ts',
  'kit/server/src/testing/index.ts',
  'packages/formula/test/index.ts',
]

/**
 * Packages of pure functions: contracts and other packages may import them. They run in the browser and on the server alike, and import
 * nothing of ours.
 */
const purePackages = ['csv', 'formula', 'zones']

const coreRule =
  'Core imports contracts, core and packages of pure functions only: both sides run it, without input or output.'

function ruleInside(from, to, wanted) {
  if (from.part === 'contract' && to.part !== 'contract') {
    return 'A contract imports contracts only: it is read by both sides and runs on neither.'
  }
  if (from.part === 'core' && !from.isTest && !['contract', 'core'].includes(to.part)) return coreRule
  const sides = [from.part, to.part]
  if (sides.includes('server') && sides.includes('web'))
    return 'Server and web never meet; they share contracts only.'
  if (from.floor !== 'features' || from.part !== 'server' || from.isTest) return undefined
  const order = ['store', 'service', 'routes']
  const [here, there] = [storeyOf(from.path), storeyOf(to.path)]
  // Types are words, not calls: a route may name the type of what its service hands on.
  if (here === 'routes' && there === 'store' && wanted.values.length > 0)
    return 'routes → service → store: routes ask a service, never a store.'
  if (order.indexOf(here) >= 0 && order.indexOf(there) > order.indexOf(here)) {
    return `routes → service → store: a ${here} knows nothing of ${there === 'routes' ? 'routes' : 'services'}.`
  }
  const isDoor = [`index.ts`, `create-${from.room}.ts`].includes(from.path.split('/').slice(3).join('/'))
  const makesStore = there === 'store' && wanted.values.some((name) => /^create[A-Z]\w*Store$/.test(name))
  if (makesStore && !isDoor && here !== 'store') {
    return 'Stores are made by the door of their room, for compose.ts, and by tests.'
  }
  return undefined
}

function ruleIntoFeature(from, target, wanted, { ladder, doors }) {
  const to = target.place
  if (!doors.has(target.file)) {
    return `The feature ${to.room} is entered by its doors only: contract, server or web.`
  }
  // A test goes through the whole server, where every room is at work.
  if (from.floor !== 'features' || from.isTest) return undefined
  for (const room of [from.room, to.room]) {
    if (!ladder.includes(room)) return `The feature ${room} has no place in features/ladder.json yet.`
  }
  if (ladder.indexOf(to.room) > ladder.indexOf(from.room)) {
    return (
      `${to.room} stands later on the ladder than ${from.room}: a feature uses only those before it; ` +
      'the earlier one answers back by events.'
    )
  }
  return createsEngine(from, to, wanted) ? engineRule : undefined
}

const engineRule =
  'Only compose.ts and tests make rooms and engines; ask for what is made already as a parameter.'

/** Whether server code of a feature makes, of another room, a thing with a life of its own. */
function createsEngine(from, to, wanted) {
  if (from.floor !== 'features' || from.part !== 'server' || from.isTest) return false
  if (to.floor === 'kit') return wanted.values.some((name) => /^(open|start)[A-Z]/.test(name))
  if (to.floor === 'features')
    return to.part === 'server' && wanted.values.some((name) => /^create[A-Z]/.test(name))
  return wanted.values.some((name) =>
    /^(create|open|start)[A-Z]\w*(Engine|Store|Service|Queue|Worker|Server)$/.test(name),
  )
}

function storeyOf(path) {
  return (
    /-(routes|service|store)\.ts$/.exec(path)?.[1] ?? (path.endsWith('-read-model.ts') ? 'store' : undefined)
  )
}

/** @returns {Place} */
function placeOf(file, { folder }) {
  const path = relative(folder, file).split(sep).join('/')
  const [floor = '', room = '', third = ''] = path.split('/')
  const isTest = /\.test\.tsx?$|\/(test|tests|testing|bench)\//.test(path)
  if (!['packages', 'kit', 'features', 'apps'].includes(floor))
    return { floor: 'outside', room, part: '', isTest, path }
  const part = floor === 'features' ? third : floor === 'packages' ? '' : room
  return { floor, room, part, isTest, path }
}

/** The file an import means; undefined for packages of others and things that are no source. */
function resolveImport(name, file, house) {
  if (name.startsWith('.')) {
    const path = resolve(dirname(file), name)
    return { file: path, place: placeOf(path, house), byName: false }
  }
  const parts = name.split('/')
  const workspaceName = name.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]
  const workspace = house.workspaces.get(workspaceName)
  if (workspace === undefined) return undefined
  const wanted = `.${name.slice(workspaceName.length)}`
  const path = join(workspace.folder, exportTarget(workspace.exports, wanted) ?? wanted)
  return { file: path, place: placeOf(path, house), byName: true }
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

/** Every import of a file, static or dynamic, of values or of types, and whether the file does nothing but hand on. */
function readImports(file) {
  const source = readFileSync(file, 'utf8')
  const { program, module } = parseSync(file, source)
  const lineOf = (offset) => source.slice(0, offset).split('\n').length
  const imports = []
  for (const { start, moduleRequest, entries } of module.staticImports) {
    // An import without names runs the file, which is more than a type.
    const values =
      entries.length === 0
        ? ['*']
        : entries.filter((entry) => !entry.isType).map((entry) => entry.importName.name ?? '*')
    imports.push({ name: moduleRequest.value, line: lineOf(start), values })
  }
  for (const { start, entries } of module.staticExports) {
    for (const name of new Set(entries.flatMap((entry) => entry.moduleRequest?.value ?? []))) {
      const values = entries.filter((entry) => !entry.isType).map((entry) => entry.importName.name ?? '*')
      imports.push({ name, line: lineOf(start), values })
    }
  }
  for (const { name, start } of importExpressions(program))
    imports.push({ name, line: lineOf(start), values: ['*'] })
  const isBarrel =
    program.body.length > 0 &&
    program.body.every((node) => /^Export(All|Named)/.test(node.type) && node.source)
  return { imports, isBarrel }
}

/** Imports that stand within the code: `import('…')`, as a value or as a type. */
function importExpressions(node) {
  if (node === null || typeof node !== 'object') return []
  if (Array.isArray(node)) return node.flatMap(importExpressions)
  const inside = Object.values(node).flatMap(importExpressions)
  if (node.type !== 'ImportExpression' && node.type !== 'TSImportType') return inside
  const literal = node.source ?? node.argument
  const name = literal?.value ?? literal?.literal?.value
  return typeof name === 'string' ? [{ name, start: node.start }, ...inside] : inside
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
  const violations = checkWalls()
  for (const { file, line, name, rule } of violations)
    console.error(`${file}:${line} imports ${name}\n  ${rule}`)
  console.log(
    violations.length === 0 ? 'Walls: every import keeps the rules.' : `Walls: ${violations.length} broken.`,
  )
  process.exitCode = violations.length === 0 ? 0 : 1
}
