// Finds the mutants of a source file: small edits of its text, each of which a test should notice.
import { parseSync } from 'vite'

/**
 * @typedef {object} Mutant
 * @property {number} start offset of the first replaced character
 * @property {number} end offset after the last replaced character
 * @property {string} original text between `start` and `end`
 * @property {string} replacement text that replaces it
 * @property {string} kind name of the mutator
 * @property {number} line 1-based
 * @property {number} region number of the smallest region around it, see `findRegions`
 *
 * @typedef {object} Region Code that runs as a whole or not at all: a block, a branch, the body of a function.
 * @property {number} start
 * @property {number} end
 * @property {'block' | 'expression'} form how a counter is inserted
 */

const comparisons = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!='],
  '!=': ['=='],
}
const arithmetic = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '**': '*' }
const logical = { '&&': '||', '||': '&&', '??': '&&' }
const assignments = { '+=': '-=', '-=': '+=', '*=': '/=', '/=': '*=', '??=': '=', '||=': '=', '&&=': '=' }
const renamedMethods = {
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
  push: 'unshift',
  indexOf: 'lastIndexOf',
}
const removedMethods = ['filter', 'sort', 'toSorted', 'reverse', 'toReversed', 'slice', 'trim', 'flat']

/** Calls with texts for people, which programs do not evaluate. */
const messageCalls = /^(describe|meta|log|console|warn|trace|debug)$/
const typeFields = new Set([
  'typeAnnotation',
  'typeParameters',
  'typeArguments',
  'returnType',
  'superTypeArguments',
  'implements',
])

/**
 * Returns every mutant of a TypeScript or JavaScript file.
 * @param {string} path decides the language by its ending
 * @param {string} source
 * @param {{ functionsOnly?: boolean }} [options] `functionsOnly` omits module level, such as schemas
 * @returns {{ mutants: Mutant[], regions: Region[] }}
 */
export function findMutants(path, source, { functionsOnly = false } = {}) {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0].message}`)
  const regions = findRegions(program)
  const lineOf = lineCounter(source)
  const mutants = []
  const statementStarts = new Set()
  visit(program, { depth: 0, isMessage: false, isProse: false })
  return { mutants, regions }

  function add(node, replacement, kind) {
    addRange(node.start, node.end, replacement, kind)
  }

  function addRange(start, end, replacement, kind) {
    const original = source.slice(start, end)
    if (original === replacement) return
    // Statements end without a semicolon, so a line that starts like this would continue the line before it.
    if (statementStarts.has(start) && /^[([`+\-/]/.test(replacement)) return
    // The braces of a body are outside its region, but only its content matters.
    const region = smallestRegion(regions, kind === 'body' ? start + 1 : start, end)
    mutants.push({ start, end, original, replacement, kind, line: lineOf(start), region })
  }

  function text(node) {
    return source.slice(node.start, node.end)
  }

  function visit(node, context) {
    if (Array.isArray(node)) {
      for (const item of node) visit(item, context)
      return
    }
    if (node === null || typeof node !== 'object' || typeof node.type !== 'string') return
    if (isTypeOnly(node)) return
    if (/^TS(As|Satisfies|NonNull)/.test(node.type)) return visit(node.expression, context)
    if (/^(Import|ExportAll)Declaration$/.test(node.type)) return
    if (node.type === 'ExportNamedDeclaration') return visit(node.declaration, context)
    if (node.type === 'ExpressionStatement') statementStarts.add(node.start)
    if (node.type === 'ImportExpression') return
    const inside = isFunction(node) ? { ...context, depth: context.depth + 1 } : context
    if (!functionsOnly || inside.depth > 0) mutate(node, inside)
    for (const [field, child] of Object.entries(node)) {
      if (typeFields.has(field) || child === null || typeof child !== 'object') continue
      if (field === 'key' && !node.computed) continue
      visit(child, contextOf(node, field, inside))
    }
  }

  /** Texts of messages are not mutated, because a test of the wording would only repeat it. */
  function contextOf(node, field, context) {
    if (node.type === 'ThrowStatement') return { ...context, isProse: true }
    if (node.type === 'NewExpression' && nameOf(node.callee).endsWith('Error'))
      return { ...context, isProse: true }
    if (node.type === 'CallExpression' && isMessageCall(node) && field === 'arguments')
      return { ...context, isMessage: true }
    return context
  }

  function mutate(node, { isMessage, isProse }) {
    if (isMessage) return
    switch (node.type) {
      case 'BinaryExpression':
        return mutateBinary(node)
      case 'LogicalExpression':
        return addOperator(node.left, node.right, node.operator, logical[node.operator], 'logical')
      case 'AssignmentExpression':
        if (assignments[node.operator] !== undefined && !(node.operator === '+=' && isText(node.right)))
          addOperator(node.left, node.right, node.operator, assignments[node.operator], 'assignment')
        return
      case 'UpdateExpression': {
        const operator = node.operator === '++' ? '--' : '++'
        const operand = text(node.argument)
        return add(node, node.prefix ? operator + operand : operand + operator, 'update')
      }
      case 'UnaryExpression':
        if (node.operator === '!') add(node, text(node.argument), 'negation')
        if (node.operator === '-' && node.argument.type !== 'Literal') add(node, text(node.argument), 'sign')
        return
      case 'IfStatement':
      case 'ConditionalExpression':
        add(node.test, 'true', 'condition')
        return add(node.test, 'false', 'condition')
      case 'WhileStatement':
      case 'ForStatement':
        if (node.test && text(node.test) !== 'true') add(node.test, 'false', 'condition')
        return
      case 'Literal':
        return mutateLiteral(node, isProse)
      case 'TemplateLiteral':
        if (!isProse && text(node) !== '``') add(node, '``', 'text')
        return
      case 'ArrayExpression':
        if (node.elements.length > 0) add(node, '[]', 'list')
        return
      case 'CallExpression':
        return mutateCall(node)
      case 'MemberExpression':
        if (node.optional)
          addRange(
            node.object.end,
            node.property.start,
            source.slice(node.object.end, node.property.start).replace('?.', node.computed ? '' : '.'),
            'optional',
          )
        return
      case 'ExpressionStatement':
        if (isRemovable(node.expression)) add(node, ';', 'statement')
        return
      case 'ThrowStatement':
      case 'BreakStatement':
      case 'ContinueStatement':
        return add(node, ';', 'statement')
      case 'ReturnStatement':
        if (node.argument === null) add(node, ';', 'statement')
        return
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        if (node.body?.type === 'BlockStatement' && node.body.body.length > 0) add(node.body, '{}', 'body')
        return
      default:
        return
    }
  }

  function mutateBinary(node) {
    const { left, right, operator } = node
    for (const replacement of comparisons[operator] ?? [])
      addOperator(left, right, operator, replacement, 'comparison')
    if (arithmetic[operator] !== undefined && !(operator === '+' && (isText(left) || isText(right))))
      addOperator(left, right, operator, arithmetic[operator], 'arithmetic')
  }

  /** Replaces only the operator between two operands, so that the listing stays short. */
  function addOperator(left, right, operator, replacement, kind) {
    const between = source.slice(left.end, right.start)
    const offset = between.indexOf(operator)
    if (replacement === undefined || offset < 0) return
    // `??` must not be combined with `&&` without parentheses, and `&&` binds closer than `||`.
    if (kind === 'logical') {
      const swapped = `((${text(left)}) ${replacement} (${text(right)}))`
      return addRange(left.start, right.end, swapped, kind)
    }
    addRange(
      left.start,
      right.end,
      text(left) + between.replace(operator, () => replacement) + text(right),
      kind,
    )
  }

  function mutateLiteral(node, isProse) {
    if (typeof node.value === 'boolean') return add(node, String(!node.value), 'boolean')
    if (typeof node.value === 'string' && !isProse)
      return add(node, node.value === '' ? "'mutated'" : "''", 'text')
    if (typeof node.value === 'number') {
      add(node, `(${node.raw} + 1)`, 'number')
      add(node, `(${node.raw} - 1)`, 'number')
    }
    if (node.bigint !== undefined && node.bigint !== null) add(node, `(${node.raw} + 1n)`, 'number')
  }

  function mutateCall(node) {
    const { callee } = node
    if (callee.type !== 'MemberExpression' || callee.computed) return
    const name = callee.property.name
    if (Object.hasOwn(renamedMethods, name)) add(callee.property, renamedMethods[name], 'method')
    if (removedMethods.includes(name) && !callee.optional) add(node, text(callee.object), 'method')
  }
}

/**
 * Returns the source with a counter in each region, so that a run reports which regions it reached.
 * @param {string} source
 * @param {Region[]} regions
 * @param {string} file name under which the counters report
 */
export function countRegions(source, regions, file) {
  const inserts = regions.flatMap(({ start, end, form }, number) => {
    const call = `__headwaterReach(${number})`
    if (form === 'block') return [{ at: start, order: 1, text: `;${call};` }]
    return [
      { at: start, order: 2, text: `(${call}, ` },
      { at: end, order: 0, text: ')' },
    ]
  })
  inserts.sort((a, b) => a.at - b.at || a.order - b.order)
  let counted = ''
  let from = 0
  for (const { at, text } of inserts) {
    counted += source.slice(from, at) + text
    from = at
  }
  return counted + source.slice(from) + reportingFunction(file)
}

/** A declared function exists before the first line of the module runs, and only its first call per region is slow. */
function reportingFunction(file) {
  const name = JSON.stringify(file)
  return `
    function __headwaterReach(region) {
      const seen = (__headwaterReach.seen ??= [])
      if (seen[region] === true) return
      seen[region] = true
      globalThis.__headwaterReached?.(${name}, region)
    }`
}

/** Returns the source with one mutant in it. */
export function applyMutant(source, { start, end, replacement }) {
  return source.slice(0, start) + replacement + source.slice(end)
}

function findRegions(program) {
  // Module-level code runs whenever the file is loaded; a counter after the imports reports that.
  const regions = [{ start: program.end, end: program.end, form: 'block' }]
  collect(program)
  return regions

  function collect(node) {
    if (Array.isArray(node)) return node.forEach(collect)
    if (node === null || typeof node !== 'object') return
    if (node.type === 'BlockStatement') regions.push({ start: node.start + 1, end: node.end, form: 'block' })
    if (node.type === 'ArrowFunctionExpression' && node.body.type !== 'BlockStatement') branch(node.body)
    if (node.type === 'ConditionalExpression') [node.consequent, node.alternate].forEach(branch)
    if (node.type === 'LogicalExpression') branch(node.right)
    for (const [field, child] of Object.entries(node)) if (!typeFields.has(field)) collect(child)
  }

  function branch(node) {
    regions.push({ start: node.start, end: node.end, form: 'expression' })
  }
}

function smallestRegion(regions, start, end) {
  let smallest = 0
  for (const [number, region] of regions.entries()) {
    if (number === 0 || region.start > start || region.end < end) continue
    const size = region.end - region.start
    if (smallest === 0 || size <= regions[smallest].end - regions[smallest].start) smallest = number
  }
  return smallest
}

function isFunction(node) {
  return /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)
}

function isTypeOnly(node) {
  if (/^TS(As|Satisfies|NonNull|ExportAssignment)/.test(node.type)) return false
  return node.type.startsWith('TS') || node.declare === true
}

function isText(node) {
  if (node.type === 'TemplateLiteral') return true
  if (node.type === 'Literal') return typeof node.value === 'string'
  if (node.type === 'ParenthesizedExpression') return isText(node.expression)
  return (
    node.type === 'BinaryExpression' && node.operator === '+' && (isText(node.left) || isText(node.right))
  )
}

function isRemovable(expression) {
  if (expression.type === 'CallExpression') return !isMessageCall(expression)
  return /^(Assignment|Update|Await|Unary|Yield|Chain|New)Expression$/.test(expression.type)
}

function isMessageCall({ callee }) {
  if (callee.type === 'Identifier') return messageCalls.test(callee.name)
  if (callee.type !== 'MemberExpression' || callee.computed) return false
  return messageCalls.test(callee.property.name ?? '') || /^(log|console)$/.test(nameOf(callee.object))
}

function nameOf(node) {
  return node.name ?? node.property?.name ?? ''
}

function lineCounter(source) {
  const starts = [0]
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (starts[middle] <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}
