// Refuses files with more than 400 lines of code and functions with more than 150. Files and functions that were longer
// when the check was introduced are listed in tools/size-exceptions.json with a reason. That list can only shrink.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { Visitor, parseSync } from 'vite'
import { filesUnder } from './project-files.mjs'

const projectFolder = fileURLToPath(new URL('..', import.meta.url))
const exceptionsFile = join(projectFolder, 'tools', 'size-exceptions.json')
const layers = ['packages', 'kit', 'features', 'apps']

/** Maximum number of lines of code of a file and of a function. Blank lines and comments do not count. */
export const limits = { file: 400, function: 150 }

/** Aims: `--list` prints what exceeds them. */
const aims = { file: 300, function: 80 }

const rules = {
  file: `A file has at most ${limits.file} lines of code. Split it along its concerns, so that each file has one purpose that its name states.`,
  function: `A function has at most ${limits.function} lines of code. Move its steps into functions, or the parts of a component into components.`,
}

/**
 * @typedef {object} Size
 * @property {'file' | 'function'} kind
 * @property {string} key the path of the file, or `path#function`
 * @property {number} line where it starts
 * @property {number} lines of code
 *
 * @typedef {Record<string, { lines: number, reason: string }>} Exceptions
 */

/**
 * Measures every source file of a project and its functions. Tests are omitted.
 * @param {string} [folder] of the project
 * @returns {Size[]}
 */
export function measureSizes(folder = projectFolder) {
  return layers
    .filter((layer) => existsSync(join(folder, layer)))
    .flatMap((layer) => filesUnder(join(folder, layer), isSource, (name) => name === 'test'))
    .flatMap((path) => measureFile(relative(folder, path).split(sep).join('/'), readFileSync(path, 'utf8')))
}

/**
 * Measures one file and its functions. A function includes the functions inside it.
 * @param {string} file
 * @param {string} source
 * @returns {Size[]}
 */
export function measureFile(file, source) {
  const { program, comments } = parseSync(file, source)
  const starts = lineStarts(source)
  const lineAt = (offset) => lineOf(starts, offset)
  const codeBefore = codeLinesBefore(source, comments, lineAt)
  const linesBetween = (start, end) => codeBefore[lineAt(end - 1)] - codeBefore[lineAt(start) - 1]
  return [
    { kind: 'file', key: file, line: 1, lines: codeBefore.at(-1) },
    ...functionsOf(program).map(({ name, node }) => ({
      kind: 'function',
      key: `${file}#${name}`,
      line: lineAt(node.start),
      lines: linesBetween(node.start, node.end),
    })),
  ]
}

/**
 * Lists the sizes above the limits that the exceptions do not allow.
 * @param {readonly Size[]} sizes
 * @param {Exceptions} exceptions
 */
export function findTooLong(sizes, exceptions) {
  return sizes
    .filter(({ kind, key, lines }) => lines > Math.max(limits[kind], exceptions[key]?.lines ?? 0))
    .map((size) => ({ ...size, rule: rules[size.kind] }))
}

/**
 * Returns the exceptions with their present sizes in whole tens, so that another line break of the formatter is no violation, and
 * without those that are no longer needed. None is raised.
 * @param {Exceptions} exceptions
 * @param {readonly Size[]} sizes
 * @returns {Exceptions}
 */
export function lowered(exceptions, sizes) {
  return Object.fromEntries(
    Object.entries(exceptions).flatMap(([key, { lines, reason }]) => {
      const present = sizes.filter((size) => size.key === key && size.lines > limits[size.kind])
      const most = Math.max(0, ...present.map((size) => size.lines))
      return most === 0 ? [] : [[key, { lines: Math.min(lines, Math.ceil(most / 10) * 10), reason }]]
    }),
  )
}

function isSource(name) {
  return /\.(?:ts|tsx|mjs|mts)$/.test(name) && !/\.test\.\w+$|\.d\.m?ts$/.test(name)
}

/** Finds the functions with a body; an anonymous one has the name of what it is assigned or passed to. */
function functionsOf(program) {
  const functions = []
  const names = new Map()
  const nameFrom = (id, value) => {
    if (id?.name !== undefined && value) names.set(unwrapped(value), id.name)
  }
  const add = (node) => functions.push({ name: node.id?.name ?? names.get(node) ?? 'anonymous', node })
  new Visitor({
    VariableDeclarator: ({ id, init }) => nameFrom(id, init),
    Property: ({ key, value }) => nameFrom(key, value),
    PropertyDefinition: ({ key, value }) => nameFrom(key, value),
    MethodDefinition: ({ key, value }) => nameFrom(key, value),
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
  }).visit(program)
  return functions
}

/** Returns the function in calls such as `memo(function …)`. */
function unwrapped(value) {
  return value.type === 'CallExpression' && value.arguments.length > 0 ? value.arguments[0] : value
}

/** Returns, for each line number, how many lines with code there are up to and including it. */
function codeLinesBefore(source, comments, lineAt) {
  let code = source
  for (const { start, end } of comments)
    code = code.slice(0, start) + source.slice(start, end).replaceAll(/[^\n]/g, ' ') + code.slice(end)
  const counts = [0]
  for (const line of code.split('\n')) counts.push(counts.at(-1) + (line.trim() === '' ? 0 : 1))
  return counts.slice(0, lineAt(source.length) + 1)
}

function lineStarts(source) {
  const starts = [0]
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function lineOf(starts, offset) {
  let [low, high] = [0, starts.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (starts[middle] <= offset) low = middle
    else high = middle
  }
  return low + 1
}

function main(args) {
  const sizes = measureSizes()
  if (args.includes('--list')) {
    const long = sizes.filter(({ kind, lines }) => lines > aims[kind]).toSorted((a, b) => b.lines - a.lines)
    for (const { kind, key, lines } of long) console.log(`${kind} ${key}: ${lines}`)
    return 0
  }
  const exceptions = JSON.parse(readFileSync(exceptionsFile, 'utf8'))
  const left = lowered(exceptions, sizes)
  if (args.includes('--update')) writeFileSync(exceptionsFile, `${JSON.stringify(left, null, 2)}\n`)
  const tooLong = findTooLong(sizes, exceptions)
  for (const { key, line, lines, rule } of tooLong) {
    const allowed = exceptions[key] === undefined ? '' : ` (its exception allows ${exceptions[key].lines})`
    console.error(`${key.replace(/#|$/, `:${line} `)} has ${lines} lines of code${allowed}\n  ${rule}`)
  }
  if (tooLong.length > 0) console.log(`Sizes: ${tooLong.length} violations.`)
  else if (JSON.stringify(left) !== JSON.stringify(exceptions) && !args.includes('--update'))
    console.log('Sizes: within the limits. Shorten the list of exceptions: node tools/sizes.mjs --update')
  else console.log(`Sizes: within the limits; ${Object.keys(left).length} exceptions remain.`)
  return tooLong.length > 0 ? 1 : 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2))
