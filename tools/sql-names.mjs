// Which tables and views SQL names, and which feature owns them.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {object} Owned A table or a view.
 * @property {string} feature the one whose migrations create it
 * @property {boolean} isExported whether it is a view that the README of the feature lists
 *
 * @typedef {object} SqlName A name that SQL reads or writes.
 * @property {string} name
 * @property {number} offset in the source
 * @property {boolean} isWritten
 */

/**
 * Reads the migrations of all features.
 * @param {string} featuresFolder
 * @returns {{ owners: Map<string, Owned>, views: { file: string, feature: string, sql: string, line: number }[] }}
 */
export function readSchema(featuresFolder) {
  const owners = new Map()
  const views = []
  for (const feature of existsSync(featuresFolder) ? readdirSync(featuresFolder) : []) {
    const folder = join(featuresFolder, feature, 'server', 'migrations')
    if (!existsSync(folder)) continue
    const readme = join(featuresFolder, feature, 'README.md')
    const text = existsSync(readme) ? readFileSync(readme, 'utf8') : ''
    for (const name of readdirSync(folder)
      .filter((each) => each.endsWith('.sql'))
      .toSorted()) {
      const sql = readFileSync(join(folder, name), 'utf8').replaceAll(/--.*$/gm, '')
      for (const [, kind, table] of sql.matchAll(
        /^create (?:or replace )?(table|view) (?:if not exists )?(\w+)/gm,
      ))
        owners.set(table, { feature, isExported: kind === 'view' && text.includes(`\`${table}\``) })
      for (const { index, 0: view } of sql.matchAll(/^create (?:or replace )?view [^;]*;/gm))
        views.push({ file: join(folder, name), feature, sql: view, line: lineAt(sql, index) })
    }
  }
  return { owners, views }
}

/** Methods of the query builder whose first argument is a table. */
const readMethods = [
  'selectFrom',
  'innerJoin',
  'leftJoin',
  'rightJoin',
  'fullJoin',
  'crossJoin',
  'using',
  'table',
]
const writeMethods = ['insertInto', 'updateTable', 'deleteFrom', 'mergeInto']

/** Matches texts in the code that are SQL; messages begin with a capital letter. */
const startOfSql =
  /^\s*(?:select|insert|update|delete|with|explain|lock|truncate|from|join|left join|where|and|or|exists|copy)\s/

/**
 * The names of tables in the code of a file: in texts that are SQL, and in calls of the query builder. Comments do not count.
 * @param {object} program syntax tree
 * @returns {SqlName[]}
 */
export function sqlNamesOfCode(program) {
  const uses = []
  visit(program, undefined)
  return uses

  function visit(node, parent) {
    if (node === null || typeof node !== 'object') return
    if (Array.isArray(node)) {
      for (const each of node) visit(each, parent)
      return
    }
    if (node.type === 'TemplateLiteral') {
      const text = node.quasis.map(({ value }) => value.cooked ?? value.raw).join(' $ ')
      if (isSqlTag(parent) || startOfSql.test(text)) add(text, node.start, isSqlTag(parent))
    } else if (node.type === 'Literal' && typeof node.value === 'string') {
      const method =
        parent?.type === 'CallExpression' && parent.arguments[0] === node ? calledMethod(parent) : ''
      const [table] = node.value.split(' ')
      if (readMethods.includes(method) || writeMethods.includes(method))
        uses.push({ name: table, offset: node.start, isWritten: writeMethods.includes(method) })
      else if (startOfSql.test(node.value)) add(node.value, node.start, false)
    }
    for (const [key, value] of Object.entries(node))
      if (key !== 'parent') visit(value, node.type ? node : parent)
  }

  function add(text, offset, isFragment) {
    for (const each of sqlNames(text)) uses.push({ ...each, offset })
    // A fragment may be just a name, which another one takes as its table.
    if (isFragment && /^\w+$/.test(text.trim())) uses.push({ name: text.trim(), offset, isWritten: false })
  }
}

/**
 * The names that a piece of SQL reads or writes, without those that it defines itself.
 * @param {string} sql
 * @returns {Omit<SqlName, 'offset'>[]}
 */
export function sqlNames(sql) {
  const defined = new Set(
    [...sql.matchAll(/(?:\bwith(?: recursive)?|,)\s+(\w+)(?: \([^)]*\))? as\b/g)].map(([, name]) => name),
  )
  const names = []
  for (const [, name] of sql.matchAll(
    /\b(?:insert into|merge into|delete from|truncate|copy)\s+(?:only\s+)?"?(\w+)/g,
  ))
    names.push({ name, isWritten: true })
  for (const [, name] of sql.matchAll(/\bupdate\s+(?:only\s+)?"?(\w+)"?(?:\s+(?:as\s+)?\w+)?\s+set\b/g))
    names.push({ name, isWritten: true })
  for (const { index, 0: keyword } of sql.matchAll(/(?<!\bdelete\s+)\b(?:from|join|using)\s+/g))
    for (const name of tableList(sql.slice(index + keyword.length))) names.push({ name, isWritten: false })
  return names.filter(({ name }) => !defined.has(name))
}

/** The names in front of a string: `files f, groups as g where …` names files and groups. */
function tableList(text) {
  const names = []
  const item = /(?:only\s+)?"?(\w+)"?(?:\s+(?:as\s+)?\w+)?(\s*,\s*)?/y
  for (;;) {
    const match = item.exec(text)
    if (match === null) return names
    names.push(match[1])
    if (match[2] === undefined) return names
  }
}

function isSqlTag(node) {
  if (node?.type !== 'TaggedTemplateExpression') return false
  return node.tag.type === 'Identifier' && node.tag.name === 'sql'
}

function calledMethod({ callee }) {
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
    ? callee.property.name
    : ''
}

/** The line of an offset, from 1. */
export function lineAt(text, offset) {
  return text.slice(0, offset).split('\n').length
}
