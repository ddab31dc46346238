// Refuses new uses of the terms that the project replaced (tools/language-terms.mjs) in names, comments, texts and documents.
// Existing uses are counted in tools/language-baseline.json. A count may only go down.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { fixedTexts, terms } from './language-terms.mjs'
import { filesUnder } from './project-files.mjs'

const projectFolder = fileURLToPath(new URL('..', import.meta.url))
const baselineFile = join(projectFolder, 'tools', 'language-baseline.json')

/** Requirement lists, generated pages, and the files that list the terms. */
const skippedPaths =
  /^(?:docs\/(?:spec|mutation|reference)\/|tools\/language|tools\/mutation\/equivalents\.json|package-lock\.json|LICENSE|features\/accounts\/server\/common-passwords\.txt)/
const codeExtensions = new Set(['.ts', '.tsx', '.mjs', '.mts', '.js'])
const proseExtensions = new Set(['.md', '.txt', '.sql', '.css', '.py', '.html'])

/**
 * @typedef {object} Use
 * @property {string} file
 * @property {number} line
 * @property {string} text the name or phrase
 * @property {string} term of the list
 * @property {string} use the replacement
 */

/**
 * Finds the uses of replaced terms.
 * @param {string} [folder] of the project
 * @returns {Use[]}
 */
export function findUses(folder = projectFolder) {
  return filesUnder(folder, isText).flatMap((path) =>
    usesIn(relative(folder, path).split(sep).join('/'), path),
  )
}

/**
 * Counts uses by top-level folder and term.
 * @param {readonly Use[]} uses
 * @returns {Record<string, Record<string, number>>}
 */
export function countUses(uses) {
  const counts = {}
  for (const { file, term } of uses) {
    const ofFolder = (counts[folderOf(file)] ??= {})
    ofFolder[term] = (ofFolder[term] ?? 0) + 1
  }
  return counts
}

/**
 * Returns the counts that exceed the baseline.
 * @param {Record<string, Record<string, number>>} counts
 * @param {Record<string, Record<string, number>>} baseline
 */
export function findRises(counts, baseline) {
  return Object.entries(counts).flatMap(([folder, ofFolder]) =>
    Object.entries(ofFolder).flatMap(([term, count]) => {
      const allowed = baseline[folder]?.[term] ?? 0
      return count > allowed ? [{ folder, term, count, allowed }] : []
    }),
  )
}

/** Returns the baseline with every count lowered to the present one; none is raised. */
export function lowered(baseline, counts) {
  const entries = Object.entries(baseline).map(([folder, ofFolder]) => [
    folder,
    Object.fromEntries(
      Object.entries(ofFolder)
        .map(([term, allowed]) => [term, Math.min(allowed, counts[folder]?.[term] ?? 0)])
        .filter(([, count]) => count > 0),
    ),
  ])
  return sorted(Object.fromEntries(entries.filter(([, ofFolder]) => Object.keys(ofFolder).length > 0)))
}

/** A stable order keeps merge conflicts of the baseline small. */
function sorted(counts) {
  const byName = (object) =>
    Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return byName(Object.fromEntries(Object.entries(counts).map(([key, value]) => [key, byName(value)])))
}

function folderOf(file) {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : '.'
}

function isText(name) {
  return codeExtensions.has(extname(name)) || proseExtensions.has(extname(name))
}

/** @returns {Use[]} */
function usesIn(file, path) {
  if (skippedPaths.test(file)) return []
  const source = readFileSync(path, 'utf8')
  const extension = extname(file)
  const { names, prose } = codeExtensions.has(extension)
    ? splitCode(source)
    : { names: '', prose: extension === '.md' ? withoutCode(source) : source }
  const found = [...usesInNames(file, 0, () => 0), ...usesInNames(names, 0), ...usesInProse(prose)]
  const lineAt = lineCounter(source)
  return found.map(({ at, text, term, use }) => ({ file, line: lineAt(at), text, term, use }))
}

const termsByName = new Map()

function termsOfName(name) {
  let hits = termsByName.get(name)
  if (hits === undefined) {
    const parts = name
      .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
      .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
      .replaceAll('_', '-')
      .toLowerCase()
    hits = terms.filter((term) => term.name?.test(parts))
    termsByName.set(name, hits)
  }
  return hits
}

function usesInNames(text, start, position = (index) => start + index) {
  const found = []
  for (const { 0: name, index } of text.matchAll(/[A-Za-z_$][\w$]*/g))
    for (const { term, use } of termsOfName(name)) found.push({ at: position(index), text: name, term, use })
  return found
}

function usesInProse(prose) {
  const found = []
  for (const { term, use, prose: pattern } of terms) {
    if (pattern === undefined) continue
    for (const { 0: text, index } of prose.matchAll(pattern))
      if (!isFixed(prose, index)) found.push({ at: index, text: text.replaceAll(/\s+/g, ' '), term, use })
  }
  return found
}

function isFixed(prose, index) {
  return fixedTexts.some((text) => {
    const at = prose.indexOf(text, index - text.length)
    return at !== -1 && at <= index
  })
}

/**
 * Splits code into its names and its prose (comments, strings, text of JSX). Each keeps the length of the source, with blanks for
 * the other, so that positions stay the same.
 */
function splitCode(source) {
  const spans = proseSpans(source)
  let names = ''
  let prose = ''
  let end = 0
  const blank = (from, to) => source.slice(from, to).replace(/[^\n]/g, ' ')
  for (const [from, to, isProse] of spans) {
    names += source.slice(end, from) + blank(from, to)
    prose += blank(end, from)
    prose += isProse ? source.slice(from, to).replace(/^(\s*)\*/gm, '$1 ') : blank(from, to)
    end = to
  }
  return { names: names + source.slice(end), prose: prose + blank(end, source.length) }
}

/**
 * Finds comments, strings, the texts of templates and the text between JSX tags as `[from, to, isProse]`. Regular expressions and import
 * paths are neither names nor prose.
 */
function proseSpans(source) {
  const spans = []
  /** Nesting of braces in each template that is open. */
  const templates = []
  let at = 0
  while (at < source.length) {
    const char = source[at]
    const next = source[at + 1]
    if (char === '/' && (next === '/' || next === '*')) {
      const end = next === '/' ? source.indexOf('\n', at) : source.indexOf('*/', at) + 2
      at = add(at, end < at + 2 ? source.length : end)
    } else if (char === '/' && startsPattern(source, at)) {
      at = add(at, endOfPattern(source, at), false)
    } else if (char === '"' || char === "'") {
      const end = endOfString(source, at)
      if (end === undefined) at++
      else at = add(at, end, !isImportPath(source, at))
    } else if (char === '`') {
      at = template(at + 1)
    } else if (templates.length > 0 && char === '{') {
      templates[templates.length - 1]++
      at++
    } else if (templates.length > 0 && char === '}') {
      if (templates.at(-1) > 0) {
        templates[templates.length - 1]--
        at++
      } else {
        templates.pop()
        at = template(at + 1)
      }
    } else if (char === '>' && source[at - 1] !== '=') {
      const text = /^>([^<>{}=;()]*[A-Za-z][^<>{}=;()]*)[<{]/.exec(source.slice(at, at + 400))
      at = text ? add(at + 1, at + 1 + text[1].length) : at + 1
    } else at++
  }
  return spans

  function add(from, to, isProse = true) {
    spans.push([from, to, isProse])
    return to
  }

  /** Reads the text of a template to its end or to the next `${`. */
  function template(from) {
    let end = from
    while (end < source.length) {
      if (source[end] === '\\') end += 2
      else if (source[end] === '`') return add(from, end) + 1
      else if (source[end] === '$' && source[end + 1] === '{') {
        templates.push(0)
        return add(from, end) + 2
      } else end++
    }
    return source.length
  }
}

function startsPattern(source, at) {
  const before = /(?:[(,=:[!&|?{};+]|\breturn|=>)\s*$/.test(source.slice(Math.max(0, at - 20), at))
  return before && source[at + 1] !== '>'
}

function endOfPattern(source, at) {
  let isClass = false
  for (let end = at + 1; end < source.length && source[end] !== '\n'; end++) {
    if (source[end] === '\\') end++
    else if (source[end] === '[') isClass = true
    else if (source[end] === ']') isClass = false
    else if (source[end] === '/' && !isClass) return end + 1
  }
  return at + 1
}

/** Returns the position after a string; undefined when the quote is an apostrophe. */
function endOfString(source, at) {
  for (let end = at + 1; end < source.length && source[end] !== '\n'; end++) {
    if (source[end] === '\\') end++
    else if (source[end] === source[at]) return end + 1
  }
  return undefined
}

/** A path counts once, as the name of its file. */
function isImportPath(source, at) {
  return /(?:\bfrom|\bimport|\bimport\()\s*$/.test(source.slice(Math.max(0, at - 12), at))
}

/** Blanks code in Markdown, which repeats names that are counted where they are defined. */
function withoutCode(markdown) {
  return markdown.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, (code) => code.replace(/[^\n]/g, ' '))
}

function lineCounter(source) {
  const starts = [0]
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (starts[middle] <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}

/** Files that differ from main: those that can have raised a count. Without git, all files. */
function changedFiles() {
  const git = (...args) =>
    execFileSync('git', args, { cwd: projectFolder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\n')
      .filter((line) => line !== '')
  try {
    const [base = 'HEAD'] = git('merge-base', 'HEAD', 'main')
    return new Set([
      ...git('diff', '--name-only', base),
      ...git('ls-files', '--others', '--exclude-standard'),
    ])
  } catch {
    return undefined
  }
}

function print({ file, line, text, use }) {
  console.error(`${file}:${line} ${text}\n  Write: ${use}`)
}

function main(args) {
  const uses = findUses()
  const paths = args.filter((arg) => !arg.startsWith('--'))
  if (paths.length > 0) {
    const listed = uses.filter(({ file }) => paths.some((path) => file.startsWith(path.replace(/\/$/, ''))))
    for (const use of listed) print(use)
    console.log(`Language: ${listed.length} uses of replaced terms in ${paths.join(', ')}.`)
    return 0
  }
  const counts = countUses(uses)
  const baseline = JSON.parse(readFileSync(baselineFile, 'utf8'))
  if (args.includes('--update')) {
    writeFileSync(baselineFile, `${JSON.stringify(lowered(baseline, counts), null, 2)}\n`)
  }
  const rises = findRises(counts, baseline)
  const changed = rises.length > 0 ? changedFiles() : undefined
  for (const { folder, term, count, allowed } of rises) {
    console.error(`${folder}: “${term}” is used ${count} times, ${allowed} are allowed. Candidates:`)
    uses
      .filter((use) => use.term === term && folderOf(use.file) === folder && (changed?.has(use.file) ?? true))
      .slice(0, 40)
      .forEach(print)
  }
  const left = lowered(baseline, counts)
  if (rises.length > 0) console.log('Language: replaced terms are used more often than before.')
  else if (JSON.stringify(left) !== JSON.stringify(baseline) && !args.includes('--update'))
    console.log('Language: no new uses. Lower the baseline: node tools/language.mjs --update')
  else console.log(`Language: no new uses of replaced terms; ${uses.length} old ones remain.`)
  return rises.length > 0 ? 1 : 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2))
