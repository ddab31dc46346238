import {
  maxExpressionHeight,
  maxExpressionLayers,
  maxExpressionLength,
  maxExpressionNodes,
  type ExpressionNode,
} from './expression.ts'
import { findFunction, functionRules, operators, type ExpressionFunction } from './functions.ts'

/** An error in an expression. */
export interface ExpressionFault {
  /** Position of its first character, from 0; the length of the text for an error at its end. */
  at: number
  /** Number of characters concerned, 0 at the end. */
  length: number
  /** Found and expected text, with the position counted from 1. */
  message: string
}

/** Result of parsing: a tree or an error. */
export type ParsedExpression =
  | { tree: ExpressionNode; usedInputs: ReadonlySet<number>; fault?: undefined }
  | { tree?: undefined; usedInputs?: undefined; fault: ExpressionFault }

/**
 * Parses an expression: numbers, names of inputs, `+ - * / ^`, comparisons, parentheses and functions. Names are
 * case-insensitive. `^` binds strongest and to the right, so `-2^2` is -4; comparisons bind weakest and return 1 or 0.
 */
export function parseExpression(text: string, inputNames: readonly string[]): ParsedExpression {
  try {
    return new Parser(text, inputNames).parse()
  } catch (error) {
    if (error instanceof Fault) return { fault: error.fault }
    throw error
  }
}

interface Token {
  kind: 'number' | 'name' | 'sign' | 'end'
  text: string
  at: number
}

interface Part {
  node: ExpressionNode
  /** Number of constants, inputs and functions. */
  size: number
  height: number
  layers: number
}

class Fault extends Error {
  readonly fault: ExpressionFault

  constructor(at: number, length: number, message: string) {
    super(message)
    this.fault = { at, length, message }
  }
}

const tokenPattern =
  /\s*(?:((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([\p{L}_][\p{L}\p{N}_]*)|(<=|>=|<>|!=|==|[-+*/^()<>=,]))/uy

class Parser {
  readonly #text: string
  readonly #inputs: ReadonlyMap<string, number>
  readonly #inputNames: readonly string[]
  readonly #used = new Set<number>()
  #token: Token
  /** Position after the last token. */
  #next = 0
  #parentheses = 0

  constructor(text: string, inputNames: readonly string[]) {
    if (text.length > maxExpressionLength)
      throw new Fault(
        maxExpressionLength,
        text.length - maxExpressionLength,
        `The expression has ${text.length} characters; at most ${maxExpressionLength} are allowed.`,
      )
    this.#text = text
    this.#inputNames = inputNames
    this.#inputs = new Map(inputNames.map((name, index) => [name.toLowerCase(), index]))
    this.#token = this.#read()
  }

  parse(): ParsedExpression {
    const { node } = this.#comparison()
    if (this.#token.kind !== 'end') throw this.#unexpected('an operator such as + or *, or the end')
    return { tree: node, usedInputs: this.#used }
  }

  #comparison(): Part {
    const left = this.#sum()
    const sign = this.#sign('=', '==', '!=', '<>', '<', '<=', '>', '>=')
    if (sign === undefined) return left
    const part = this.#binary(sign, left, this.#sum())
    if (this.#isSign('=', '==', '!=', '<>', '<', '<=', '>', '>='))
      throw this.#fault('Two comparisons in a row need parentheses, or and(…)')
    return part
  }

  #sum(): Part {
    let left = this.#product()
    for (;;) {
      const sign = this.#sign('+', '-')
      if (sign === undefined) return left
      left = this.#binary(sign, left, this.#product())
    }
  }

  #product(): Part {
    let left = this.#unary()
    for (;;) {
      const sign = this.#sign('*', '/')
      if (sign === undefined) return left
      left = this.#binary(sign, left, this.#unary())
    }
  }

  #unary(): Part {
    let isNegative = false
    for (;;) {
      const sign = this.#sign('+', '-')
      if (sign === undefined) break
      if (sign.text === '-') isNegative = !isNegative
    }
    const part = this.#power()
    if (!isNegative) return part
    if (part.node.kind === 'number') return { ...part, node: { kind: 'number', value: -part.node.value } }
    return this.#call('subtract', [
      { node: { kind: 'number', value: 0 }, size: 1, height: 1, layers: 0 },
      part,
    ])
  }

  #power(): Part {
    const base = this.#primary()
    const sign = this.#sign('^')
    if (sign === undefined) return base
    return this.#nested(() => this.#binary(sign, base, this.#unary()))
  }

  #primary(): Part {
    const token = this.#token
    if (token.kind === 'number') {
      const value = Number(token.text)
      if (!Number.isFinite(value)) throw this.#fault(`The number ${token.text} is too large`)
      this.#advance()
      return { node: { kind: 'number', value }, size: 1, height: 1, layers: 0 }
    }
    if (token.kind === 'name') {
      this.#advance()
      return this.#isSign('(') ? this.#function(token) : this.#input(token)
    }
    if (this.#sign('(') === undefined)
      throw this.#unexpected('a number, the name of an input, a function or “(”')
    const part = this.#nested(() => this.#comparison())
    this.#close('“)” or an operator')
    return part
  }

  #input(token: Token): Part {
    const input = this.#inputs.get(token.text.toLowerCase())
    if (input !== undefined) {
      this.#used.add(input)
      return { node: { kind: 'input', input }, size: 1, height: 1, layers: 0 }
    }
    const known = findFunction(token.text)
    if (known) throw this.#fault(`${known.rule.usage} is a function and needs parentheses`, token)
    const allowed =
      this.#inputNames.length === 0
        ? 'There are no inputs yet'
        : `The inputs are ${this.#inputNames.join(', ')}`
    throw this.#fault(`“${shortened(token.text)}” is not an input. ${allowed}`, token)
  }

  #function(token: Token): Part {
    const known = findFunction(token.text)
    if (known === undefined)
      throw this.#fault(
        `There is no function “${shortened(token.text)}”. The functions are ${Object.keys(functionRules).join(', ')}`,
        token,
      )
    this.#sign('(')
    const parts: Part[] = []
    if (!this.#isSign(')'))
      do parts.push(this.#nested(() => this.#comparison()))
      while (this.#sign(',') !== undefined)
    this.#close('“,” or “)”')
    const { name, rule } = known
    const { count } = rule
    const last = count === undefined || parts.length <= rule.least ? undefined : parts.pop()
    const isShort = count !== undefined && last === undefined && count.default === undefined
    if (parts.length < rule.least || parts.length > rule.most || isShort)
      throw this.#fault(`Write ${rule.usage}`, token)
    if (count === undefined) return this.#call(name, parts)
    const value = last === undefined ? count.default! : wholeNumber(last.node)
    if (value === undefined || value < count.least || value > count.most)
      throw this.#fault(
        `The n of ${rule.usage} is a whole number from ${count.least} to ${count.most}, written as such`,
        token,
      )
    return this.#call(name, parts, value)
  }

  #binary(sign: Token, left: Part, right: Part): Part {
    return this.#call(operators[sign.text as keyof typeof operators], [left, right])
  }

  #call(name: ExpressionFunction, parts: readonly Part[], count?: number): Part {
    const size = parts.reduce((sum, part) => sum + part.size, 1)
    if (size > maxExpressionNodes)
      throw this.#fault(
        `A formula can have at most ${maxExpressionNodes} numbers, inputs and functions. Move a part of it to a formula of its own`,
      )
    const height = 1 + Math.max(...parts.map((part) => part.height))
    if (height > maxExpressionHeight)
      throw this.#fault(
        `The expression is too deep: at most ${maxExpressionHeight} operations can be nested. Move a part of it to a formula of its own`,
      )
    const layers = Math.max(...parts.map((part) => part.layers)) + (count === undefined ? 0 : 1)
    if (layers > maxExpressionLayers)
      throw this.#fault(`round, lag, mean and sum can be nested at most ${maxExpressionLayers} deep`)
    const node = {
      kind: 'call',
      function: name,
      arguments: parts.map((part) => part.node),
      ...(count === undefined ? {} : { count }),
    } as const
    return { node, size, height, layers }
  }

  /** Limits the depth of parentheses, because the JavaScript stack is limited. */
  #nested(read: () => Part): Part {
    if (++this.#parentheses > maxExpressionHeight)
      throw this.#fault(`Parentheses can be nested at most ${maxExpressionHeight} deep`)
    const part = read()
    this.#parentheses--
    return part
  }

  #close(expected: string): void {
    if (this.#sign(')') === undefined) throw this.#unexpected(expected)
  }

  #isSign(...signs: readonly string[]): boolean {
    return this.#token.kind === 'sign' && signs.includes(this.#token.text)
  }

  /** Consumes one of these signs if it is next. */
  #sign(...signs: readonly string[]): Token | undefined {
    if (!this.#isSign(...signs)) return undefined
    const token = this.#token
    this.#advance()
    return token
  }

  #advance(): void {
    this.#token = this.#read()
  }

  #read(): Token {
    tokenPattern.lastIndex = this.#next
    const match = tokenPattern.exec(this.#text)
    if (match !== null) {
      this.#next = tokenPattern.lastIndex
      const [, number, name, sign] = match
      const text = number ?? name ?? sign!
      const kind = number !== undefined ? 'number' : name !== undefined ? 'name' : 'sign'
      return { kind, text, at: this.#next - text.length }
    }
    const at = this.#next + /^\s*/.exec(this.#text.slice(this.#next))![0].length
    if (at >= this.#text.length) return { kind: 'end', text: '', at: this.#text.length }
    const text = String.fromCodePoint(this.#text.codePointAt(at)!)
    throw new Fault(at, text.length, `“${text}” at character ${at + 1} has no meaning here.`)
  }

  #unexpected(expected: string): Fault {
    const { kind, text } = this.#token
    const actual = kind === 'end' ? 'the end' : `“${shortened(text)}”`
    return this.#fault(`Expected ${expected}, but found ${actual}`)
  }

  #fault(message: string, { at, text }: Token = this.#token): Fault {
    return new Fault(at, text.length, `${message} (character ${at + 1}).`)
  }
}

function wholeNumber(node: ExpressionNode): number | undefined {
  return node.kind === 'number' && Number.isInteger(node.value) ? node.value : undefined
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
