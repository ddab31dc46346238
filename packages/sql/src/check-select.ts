import { positionOfName } from './position.ts'
import { reservedNames } from './table-name.ts'

/** Nodes that a SELECT can consist of. Any other node is refused. */
const knownNodes = new Set([
  'ArrayJoin',
  'Asterisk',
  'ColumnsApplyTransformer',
  'ColumnsExceptTransformer',
  'ColumnsListMatcher',
  'ColumnsRegexpMatcher',
  'ColumnsReplaceTransformer',
  'ColumnsReplaceTransformer::Replacement',
  'ColumnsTransformerList',
  'ExpressionList',
  'Function',
  'Identifier',
  'InterpolateElement',
  'Literal',
  'OrderByElement',
  'QualifiedAsterisk',
  'QualifiedColumnsListMatcher',
  'QualifiedColumnsRegexpMatcher',
  'SampleRatio',
  'SelectIntersectExceptQuery',
  'SelectQuery',
  'SelectWithUnionQuery',
  'Subquery',
  'TableExpression',
  'TableIdentifier',
  'TableJoin',
  'TablesInSelectQuery',
  'TablesInSelectQueryElement',
  'WindowDefinition',
  'WindowListElement',
  'WithElement',
])

/** Operators and clauses that the parser turns into functions. */
const syntaxFunctions = new Set(['_cast', 'exists', 'grouping', 'lambda'])
const combinators =
  /(If|Array|Map|SimpleState|MergeState|State|Merge|ForEach|Distinct|OrDefault|OrNull|Resample|ArgMin|ArgMax|Null)$/i

/** Functions of the engine that a SELECT can call, in lower case. */
export interface AllowedFunctions {
  /** Functions of values, and window functions. */
  plain: ReadonlySet<string>
  /** Aggregate functions, without combinators such as `If`. A name can be followed by combinators. */
  aggregate: ReadonlySet<string>
}

interface Node {
  kind: string
  /** Text after the kind, such as the name of a function. */
  name: string
  children: Node[]
}

/**
 * Checks that a statement is a single SELECT over the tables of a task. Returns the problem as a sentence; undefined if
 * there is none.
 * @param statement result of the engine's parser: the syntax tree, with one node per line, indented by depth, and the
 *   formatted statement
 * @param sql text of the statement, for positions
 */
export function problemOfSelect(
  { tree, formatted }: { tree: string; formatted: string },
  sql: string,
  functions: AllowedFunctions,
): string | undefined {
  // The tree contains names unescaped, so a name with a line break could imitate other nodes.
  const quoted = formatted.match(/'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g) ?? []
  if (quoted.some((name) => name.startsWith('`') && /[\p{Cc}]|\\[^`\\]/u.test(name)))
    return 'Names in a SELECT cannot contain line breaks and other control characters.'
  const root = parseTree(tree)
  if (root?.kind !== 'SelectWithUnionQuery')
    return 'The statement is not a SELECT. Write one SELECT, which can begin with WITH.'
  return problemOfNode(root, undefined, sql, functions)
}

/** Returns whether a statement is a single SELECT, without UNION, INTERSECT and EXCEPT. */
export function isSingleSelect(tree: string): boolean {
  const [list, ...others] = parseTree(tree)?.children ?? []
  const [select, ...further] = list?.children ?? []
  return others.length === 0 && further.length === 0 && select?.kind === 'SelectQuery'
}

function problemOfNode(
  node: Node,
  parent: Node | undefined,
  sql: string,
  functions: AllowedFunctions,
): string | undefined {
  const problem = problemOfOne(node, parent, sql, functions)
  if (problem !== undefined) return problem
  for (const child of node.children) {
    const below = problemOfNode(child, node, sql, functions)
    if (below !== undefined) return below
  }
  return undefined
}

function problemOfOne(
  node: Node,
  parent: Node | undefined,
  sql: string,
  functions: AllowedFunctions,
): string | undefined {
  const { kind, name, children } = node
  if (kind === 'Set') return `SETTINGS are not allowed${positionOfName(sql, 'settings')}. Remove them.`
  if (!knownNodes.has(kind))
    return `A part of the statement is not allowed here (${kind}). Write one SELECT over the inputs of the task.`
  if (kind === 'SelectWithUnionQuery' && children.some((child) => child.kind !== 'ExpressionList'))
    return children.some((child) => child.kind === 'Set')
      ? `SETTINGS are not allowed${positionOfName(sql, 'settings')}. Remove them.`
      : `INTO OUTFILE and FORMAT are not allowed${positionOfName(sql, 'outfile') || positionOfName(sql, 'format')}. Choose the format of the result in “Format”.`
  if (kind === 'TableIdentifier' && name.includes('.')) return problemOfDatabase(name, sql)
  if (kind === 'Identifier' && name.includes('.')) {
    const [first = ''] = name.split('.')
    if (reservedNames.includes(first.toLowerCase())) return problemOfDatabase(name, sql)
  }
  if (kind !== 'Function') return undefined
  if (parent?.kind === 'TableExpression')
    return `The table function “${name}” is not allowed${positionOfName(sql, name, true)}. A SELECT reads the inputs of the task, by their names.`
  return isAllowed(name, functions)
    ? undefined
    : `The function “${name}” is not allowed${positionOfName(sql, name, true)}. A SELECT can use functions of values, aggregate functions and window functions.`
}

function problemOfDatabase(name: string, sql: string): string {
  return `“${name}” is not allowed${positionOfName(sql, name)}. A SELECT reads the inputs of the task, by their names.`
}

function isAllowed(name: string, { plain, aggregate }: AllowedFunctions): boolean {
  const lower = name.toLowerCase()
  if (syntaxFunctions.has(lower) || plain.has(lower)) return true
  for (let rest = name; rest !== '';) {
    if (aggregate.has(rest.toLowerCase())) return true
    const shorter = rest.replace(combinators, '')
    if (shorter === rest) return false
    rest = shorter
  }
  return false
}

/** Parses lines such as `  Function plus (alias x) (children 1)`. */
function parseTree(text: string): Node | undefined {
  const path: Node[] = []
  let root: Node | undefined
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const depth = line.length - line.trimStart().length
    const [kind = '', ...rest] = line.trim().split(' ')
    const name = rest
      .join(' ')
      .replace(/ ?\(children \d+\)$/, '')
      .replace(/ ?\(alias .*\)$/, '')
      .trim()
    const node: Node = { kind, name, children: [] }
    if (depth === 0 && root !== undefined) return undefined
    if (depth === 0) root = node
    else path[depth - 1]?.children.push(node)
    path.length = depth
    path[depth] = node
  }
  return root
}
