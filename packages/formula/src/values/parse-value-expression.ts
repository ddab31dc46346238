import { maxExpressionHeight, maxExpressionLength, maxExpressionNodes } from '../expression.ts'
import { Fault, shortened, TokenReader, type ExpressionFault, type Token } from '../tokens.ts'
import { findValueFunction, valueFunctions } from './value-functions.ts'
import type { Value } from './value.ts'

/** A parsed value expression. */
export type ValueNode =
  | { kind: 'constant'; value: Value }
  | { kind: 'name'; name: string }
  | { kind: 'call'; name: string; arguments: readonly ValueNode[] }

/** Result of parsing: a tree with the names that it uses, or an error. */
export type ParsedValueExpression =
  | { tree: ValueNode; names: ReadonlySet<string>; fault?: undefined }
  | { tree?: undefined; names?: undefined; fault: ExpressionFault }

/**
 * Parses a value expression: numbers, quoted strings, lists in brackets, names such as `run.date`, references such as
 * `${…}`, `+ - * / ^`, `&` to concatenate strings, comparisons, parentheses and functions. `&` binds more tightly than
 * comparisons and less tightly than `+`.
 */
export function parseValueExpression(text: string): ParsedValueExpression {
  try {
    return new ValueParser(text).parse()
  } catch (error) {
    if (error instanceof Fault) return { fault: error.fault }
    throw error
  }
}

type Kind = 'number' | 'name' | 'reference' | 'text'

const pattern =
  /\s*(?:((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*)|(\$\{[^{}\s]{1,100}\})|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(<=|>=|<>|!=|==|[-+*/^()[\]<>=,&]))/suy
const kinds = ['number', 'name', 'reference', 'text', 'punctuator'] as const
const constants: Readonly<Record<string, Value>> = { true: true, false: false, null: null }
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }
const comparisons = ['=', '==', '!=', '<>', '<', '<=', '>', '>=']

class ValueParser extends TokenReader<Kind> {
  readonly #names = new Set<string>()
  #nodes = 0

  constructor(text: string) {
    super(text, { pattern, kinds, maxLength: maxExpressionLength, maxDepth: maxExpressionHeight })
  }

  parse(): ParsedValueExpression {
    const tree = this.#comparison()
    if (this.token.kind !== 'end') throw this.unexpected('an operator such as + or &, or the end')
    return { tree, names: this.#names }
  }

  #comparison(): ValueNode {
    const left = this.#concatenation()
    const operator = this.consume(...comparisons)
    if (operator === undefined) return left
    const node = this.#call(operator.text === '==' ? '=' : operator.text === '!=' ? '<>' : operator.text, [
      left,
      this.#concatenation(),
    ])
    if (this.isPunctuator(...comparisons))
      throw this.fault('Two comparisons in a row need parentheses, or and(…)')
    return node
  }

  #concatenation(): ValueNode {
    return this.#leftToRight(['&'], () => this.#sum())
  }

  #sum(): ValueNode {
    return this.#leftToRight(['+', '-'], () => this.#product())
  }

  #product(): ValueNode {
    return this.#leftToRight(['*', '/'], () => this.#unary())
  }

  #leftToRight(operators: readonly string[], read: () => ValueNode): ValueNode {
    let left = read()
    for (;;) {
      const operator = this.consume(...operators)
      if (operator === undefined) return left
      left = this.#call(operator.text, [left, read()])
    }
  }

  #unary(): ValueNode {
    let isNegative = false
    for (;;) {
      const operator = this.consume('+', '-')
      if (operator === undefined) break
      if (operator.text === '-') isNegative = !isNegative
    }
    const node = this.#power()
    return isNegative ? this.#call('-', [{ kind: 'constant', value: 0 }, node]) : node
  }

  #power(): ValueNode {
    const base = this.#primary()
    const operator = this.consume('^')
    return operator === undefined ? base : this.nested(() => this.#call('^', [base, this.#unary()]))
  }

  #primary(): ValueNode {
    const { token } = this
    switch (token.kind) {
      case 'number':
        this.advance()
        return this.#constant(this.#number(token))
      case 'text':
        this.advance()
        return this.#constant(unescape(token.text))
      case 'reference':
        this.advance()
        return this.#name(token.text)
      case 'name':
        this.advance()
        return this.isPunctuator('(') ? this.#function(token) : this.#named(token)
      default:
    }
    if (this.consume('[') !== undefined) return this.#call('list', this.#items(']', '“,” or “]”'))
    if (this.consume('(') === undefined)
      throw this.unexpected('a number, a quoted string, a name, a function, “[” or “(”')
    const node = this.nested(() => this.#comparison())
    this.close('“)” or an operator')
    return node
  }

  #number(token: Token<Kind>): number {
    const value = Number(token.text)
    if (!Number.isFinite(value)) throw this.fault(`The number ${token.text} is too large`, token)
    return value
  }

  #named(token: Token<Kind>): ValueNode {
    const name = token.text.toLowerCase()
    if (Object.hasOwn(constants, name)) return this.#constant(constants[name]!)
    const known = findValueFunction(token.text)
    if (known) throw this.fault(`${known.rule.usage} is a function and needs parentheses`, token)
    return this.#name(token.text)
  }

  #function(token: Token<Kind>): ValueNode {
    const known = findValueFunction(token.text)
    if (known === undefined)
      throw this.fault(
        `There is no function “${shortened(token.text)}”. The functions are ${Object.keys(valueFunctions).join(', ')}`,
        token,
      )
    this.consume('(')
    const given = this.#items(')', '“,” or “)”')
    if (given.length < known.rule.least || given.length > known.rule.most)
      throw this.fault(`Write ${known.rule.usage}`, token)
    return this.#call(known.name, given)
  }

  #items(end: string, expected: string): ValueNode[] {
    const items: ValueNode[] = []
    if (!this.isPunctuator(end))
      do items.push(this.nested(() => this.#comparison()))
      while (this.consume(',') !== undefined)
    this.close(expected, end)
    return items
  }

  #constant(value: Value): ValueNode {
    return this.#addNode({ kind: 'constant', value })
  }

  #name(name: string): ValueNode {
    this.#names.add(name)
    return this.#addNode({ kind: 'name', name })
  }

  #call(name: string, given: readonly ValueNode[]): ValueNode {
    return this.#addNode({ kind: 'call', name, arguments: given })
  }

  #addNode(node: ValueNode): ValueNode {
    if (++this.#nodes > maxExpressionNodes)
      throw this.fault(`An expression can have at most ${maxExpressionNodes} values, names and functions`)
    return node
  }
}

function unescape(text: string): string {
  return text.slice(1, -1).replaceAll(/\\(.)/gsu, (_, letter: string) => escapes[letter] ?? letter)
}
