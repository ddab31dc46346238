import {
  maxExpressionHeight,
  maxExpressionLayers,
  maxExpressionLength,
  maxExpressionNodes,
  type ExpressionNode,
} from './expression.ts'
import {
  countedFunctions,
  findFunction,
  functionRules,
  operators,
  type ExpressionFunction,
} from './functions.ts'
import { Fault, shortened, TokenReader, type ExpressionFault, type Token } from './tokens.ts'

/** Result of parsing: a tree or an error. */
export type ParsedExpression =
  | { tree: ExpressionNode; usedInputs: ReadonlySet<number>; fault?: undefined }
  | { tree?: undefined; usedInputs?: undefined; fault: ExpressionFault }

/**
 * Parses an expression: numbers, names of inputs, `+ - * / ^`, comparisons, parentheses and functions. Names are
 * case-insensitive. `^` has the highest precedence and is right-associative, so `-2^2` is -4. Comparisons have the
 * lowest precedence and return 1 or 0.
 */
export function parseExpression(text: string, inputNames: readonly string[]): ParsedExpression {
  try {
    return new Parser(text, inputNames).parse()
  } catch (error) {
    if (error instanceof Fault) return { fault: error.fault }
    throw error
  }
}

interface Part {
  node: ExpressionNode
  /** Number of constants, inputs and functions. */
  size: number
  height: number
  layers: number
}

const tokenPattern =
  /\s*(?:((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([\p{L}_][\p{L}\p{N}_]*)|(<=|>=|<>|!=|==|[-+*/^()<>=,]))/uy

type Kind = 'number' | 'name'
const kinds = ['number', 'name', 'punctuator'] as const

class Parser extends TokenReader<Kind> {
  readonly #inputs: ReadonlyMap<string, number>
  readonly #inputNames: readonly string[]
  readonly #used = new Set<number>()

  constructor(text: string, inputNames: readonly string[]) {
    super(text, {
      pattern: tokenPattern,
      kinds,
      maxLength: maxExpressionLength,
      maxDepth: maxExpressionHeight,
    })
    this.#inputNames = inputNames
    this.#inputs = new Map(inputNames.map((name, index) => [name.toLowerCase(), index]))
  }

  parse(): ParsedExpression {
    const { node } = this.#comparison()
    if (this.token.kind !== 'end') throw this.unexpected('an operator such as + or *, or the end')
    return { tree: node, usedInputs: this.#used }
  }

  #comparison(): Part {
    const left = this.#sum()
    const operator = this.consume('=', '==', '!=', '<>', '<', '<=', '>', '>=')
    if (operator === undefined) return left
    const part = this.#binary(operator, left, this.#sum())
    if (this.isPunctuator('=', '==', '!=', '<>', '<', '<=', '>', '>='))
      throw this.fault('Two comparisons in a row need parentheses, or and(…)')
    return part
  }

  #sum(): Part {
    let left = this.#product()
    for (;;) {
      const operator = this.consume('+', '-')
      if (operator === undefined) return left
      left = this.#binary(operator, left, this.#product())
    }
  }

  #product(): Part {
    let left = this.#unary()
    for (;;) {
      const operator = this.consume('*', '/')
      if (operator === undefined) return left
      left = this.#binary(operator, left, this.#unary())
    }
  }

  #unary(): Part {
    let isNegative = false
    for (;;) {
      const operator = this.consume('+', '-')
      if (operator === undefined) break
      if (operator.text === '-') isNegative = !isNegative
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
    const operator = this.consume('^')
    if (operator === undefined) return base
    return this.nested(() => this.#binary(operator, base, this.#unary()))
  }

  #primary(): Part {
    const token = this.token
    if (token.kind === 'number') {
      const value = Number(token.text)
      if (!Number.isFinite(value)) throw this.fault(`The number ${token.text} is too large`)
      this.advance()
      return { node: { kind: 'number', value }, size: 1, height: 1, layers: 0 }
    }
    if (token.kind === 'name') {
      this.advance()
      return this.isPunctuator('(') ? this.#function(token) : this.#input(token)
    }
    if (this.consume('(') === undefined)
      throw this.unexpected('a number, the name of an input, a function or “(”')
    const part = this.nested(() => this.#comparison())
    this.close('“)” or an operator')
    return part
  }

  #input(token: Token<Kind>): Part {
    const input = this.#inputs.get(token.text.toLowerCase())
    if (input !== undefined) {
      this.#used.add(input)
      return { node: { kind: 'input', input }, size: 1, height: 1, layers: 0 }
    }
    const known = findFunction(token.text)
    if (known) throw this.fault(`${known.rule.usage} is a function and needs parentheses`, token)
    const allowed =
      this.#inputNames.length === 0
        ? 'There are no inputs yet'
        : `The inputs are ${this.#inputNames.join(', ')}`
    throw this.fault(`“${shortened(token.text)}” is not an input. ${allowed}`, token)
  }

  #function(token: Token<Kind>): Part {
    const known = findFunction(token.text)
    if (known === undefined)
      throw this.fault(
        `There is no function “${shortened(token.text)}”. The functions are ${Object.keys(functionRules).join(', ')}`,
        token,
      )
    this.consume('(')
    const parts: Part[] = []
    if (!this.isPunctuator(')'))
      do parts.push(this.nested(() => this.#comparison()))
      while (this.consume(',') !== undefined)
    this.close('“,” or “)”')
    const { name, rule } = known
    const { count } = rule
    const last = count === undefined || parts.length <= rule.least ? undefined : parts.pop()
    const isShort = count !== undefined && last === undefined && count.default === undefined
    if (parts.length < rule.least || parts.length > rule.most || isShort)
      throw this.fault(`Write ${rule.usage}`, token)
    if (count === undefined) return this.#call(name, parts)
    const value = last === undefined ? count.default! : wholeNumber(last.node)
    if (value === undefined || value < count.least || value > count.most)
      throw this.fault(
        `The n of ${rule.usage} is a whole number from ${count.least} to ${count.most}, written as such`,
        token,
      )
    return this.#call(name, parts, value)
  }

  #binary(operator: Token<Kind>, left: Part, right: Part): Part {
    return this.#call(operators[operator.text as keyof typeof operators], [left, right])
  }

  #call(name: ExpressionFunction, parts: readonly Part[], count?: number): Part {
    const size = parts.reduce((sum, part) => sum + part.size, 1)
    if (size > maxExpressionNodes)
      throw this.fault(
        `A formula can have at most ${maxExpressionNodes} numbers, inputs and functions. Move a part of it to a separate formula`,
      )
    const height = 1 + Math.max(...parts.map((part) => part.height))
    if (height > maxExpressionHeight)
      throw this.fault(
        `The expression is too deep: at most ${maxExpressionHeight} operations can be nested. Move a part of it to a separate formula`,
      )
    const layers = Math.max(...parts.map((part) => part.layers)) + (count === undefined ? 0 : 1)
    if (layers > maxExpressionLayers)
      throw this.fault(`${countedFunctions} can be nested at most ${maxExpressionLayers} deep`)
    const node = {
      kind: 'call',
      function: name,
      arguments: parts.map((part) => part.node),
      ...(count === undefined ? {} : { count }),
    } as const
    return { node, size, height, layers }
  }
}

function wholeNumber(node: ExpressionNode): number | undefined {
  return node.kind === 'number' && Number.isInteger(node.value) ? node.value : undefined
}
