/** Longest expression of a formula, in characters. */
export const maxExpressionLength = 2000
/** How deep operations of an expression may stand within each other. */
export const maxExpressionHeight = 100
/** Most numbers, inputs and functions of an expression. */
export const maxExpressionNodes = 1000
/** How deep round, lag, mean and sum may stand within each other. */
export const maxExpressionLayers = 8
/** Most timestamps that lag, mean and sum go back. */
export const maxExpressionWindow = 1000

const binaryFunctions = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '^': 'power',
  '=': 'equals',
  '==': 'equals',
  '!=': 'notEquals',
  '<>': 'notEquals',
  '<': 'less',
  '<=': 'lessOrEqual',
  '>': 'greater',
  '>=': 'greaterOrEqual',
} as const

/** What the editor of formulas shows of a function. */
export interface FormulaFunctionHelp {
  /** Signature, for example `lag(x, n)`. */
  usage: string
  /** What it returns, as one sentence. */
  meaning: string
  /** Complete expression of one input named `x`. */
  example: string
}

interface FunctionRule extends FormulaFunctionHelp {
  name:
    | 'abs'
    | 'sign'
    | 'sqrt'
    | 'ln'
    | 'log10'
    | 'exp'
    | 'floor'
    | 'ceil'
    | 'round'
    | 'min'
    | 'max'
    | 'if'
    | 'coalesce'
    | 'isEmpty'
    | 'and'
    | 'or'
    | 'not'
    | 'lag'
    | 'mean'
    | 'sum'
  least: number
  most: number
  /** The last argument is a whole number: its range, and what it is when left out. */
  count?: { least: number; most: number; default?: number }
}

const many = 100
const window = { least: 1, most: maxExpressionWindow }

/** The only list of the functions: the parser reads it, the editor of formulas shows it, and tests run each example. */
const functionRules: Record<string, FunctionRule> = {
  abs: {
    name: 'abs',
    least: 1,
    most: 1,
    usage: 'abs(x)',
    meaning: 'The value without its sign.',
    example: 'abs(x)',
  },
  sign: {
    name: 'sign',
    least: 1,
    most: 1,
    usage: 'sign(x)',
    meaning: '-1 for negative values, 0 for zero and 1 for positive values.',
    example: 'sign(x)',
  },
  sqrt: {
    name: 'sqrt',
    least: 1,
    most: 1,
    usage: 'sqrt(x)',
    meaning: 'The square root.',
    example: 'sqrt(x)',
  },
  ln: {
    name: 'ln',
    least: 1,
    most: 1,
    usage: 'ln(x)',
    meaning: 'The natural logarithm; of a ratio, the logarithmic change.',
    example: 'ln(x / lag(x))',
  },
  log10: {
    name: 'log10',
    least: 1,
    most: 1,
    usage: 'log10(x)',
    meaning: 'The logarithm to base 10.',
    example: 'log10(x)',
  },
  exp: {
    name: 'exp',
    least: 1,
    most: 1,
    usage: 'exp(x)',
    meaning: 'e to the power of x.',
    example: 'exp(x / 100)',
  },
  floor: {
    name: 'floor',
    least: 1,
    most: 1,
    usage: 'floor(x)',
    meaning: 'The next whole number at or below the value.',
    example: 'floor(x)',
  },
  ceil: {
    name: 'ceil',
    least: 1,
    most: 1,
    usage: 'ceil(x)',
    meaning: 'The next whole number at or above the value.',
    example: 'ceil(x)',
  },
  round: {
    name: 'round',
    least: 1,
    most: 1,
    count: { least: 0, most: 15, default: 0 },
    usage: 'round(x, n)',
    meaning: 'The value rounded to n decimals (default 0), halves away from zero.',
    example: 'round(x, 2)',
  },
  min: {
    name: 'min',
    least: 1,
    most: many,
    usage: 'min(x, y, …)',
    meaning: 'The smallest value; missing values are ignored.',
    example: 'min(x, 100)',
  },
  max: {
    name: 'max',
    least: 1,
    most: many,
    usage: 'max(x, y, …)',
    meaning: 'The largest value; missing values are ignored.',
    example: 'max(x, 0)',
  },
  if: {
    name: 'if',
    least: 2,
    most: 3,
    usage: 'if(condition, x, y)',
    meaning: 'x where the condition is met, otherwise y, or no value if y is omitted.',
    example: 'if(x > 100, 1, 0)',
  },
  coalesce: {
    name: 'coalesce',
    least: 1,
    most: many,
    usage: 'coalesce(x, y, …)',
    meaning: 'The first value that exists.',
    example: 'coalesce(x, 0)',
  },
  isempty: {
    name: 'isEmpty',
    least: 1,
    most: 1,
    usage: 'isempty(x)',
    meaning: '1 where x has no value, else 0.',
    example: 'isempty(x)',
  },
  and: {
    name: 'and',
    least: 1,
    most: many,
    usage: 'and(a, b, …)',
    meaning: '1 where all conditions are met, else 0.',
    example: 'and(x > 0, x < 100)',
  },
  or: {
    name: 'or',
    least: 1,
    most: many,
    usage: 'or(a, b, …)',
    meaning: '1 where at least one condition is met, else 0.',
    example: 'or(x < 0, x > 100)',
  },
  not: {
    name: 'not',
    least: 1,
    most: 1,
    usage: 'not(a)',
    meaning: '1 where the condition is not met, else 0.',
    example: 'not(x > 100)',
  },
  lag: {
    name: 'lag',
    least: 1,
    most: 1,
    count: { ...window, default: 1 },
    usage: 'lag(x, n)',
    meaning: 'The value n timestamps earlier (default 1).',
    example: 'x - lag(x, 1)',
  },
  mean: {
    name: 'mean',
    least: 1,
    most: 1,
    count: window,
    usage: 'mean(x, n)',
    meaning: 'The mean of the last n timestamps, once all of them have a value.',
    example: 'mean(x, 20)',
  },
  sum: {
    name: 'sum',
    least: 1,
    most: 1,
    count: window,
    usage: 'sum(x, n)',
    meaning: 'The sum of the last n timestamps, once all of them have a value.',
    example: 'sum(x, 5)',
  },
}

/** The functions an expression may use, in the order in which they are explained. */
export const formulaFunctions: readonly FormulaFunctionHelp[] = Object.values(functionRules).map(
  ({ usage, meaning, example }) => ({ usage, meaning, example }),
)

/** An expression as a tree: numbers, inputs by their number, and functions of them. */
export type ExpressionNode =
  | { kind: 'number'; value: number }
  | { kind: 'input'; input: number }
  | {
      kind: 'call'
      function: (typeof binaryFunctions)[keyof typeof binaryFunctions] | FunctionRule['name']
      arguments: readonly ExpressionNode[]
      /** Decimals of round, timestamps of lag, mean and sum. */
      count?: number
    }

/** What is wrong with an expression, and where. */
export interface ExpressionFault {
  /** Place of its first character, counted from 0; the length of the text for its end. */
  at: number
  /** Number of characters concerned, 0 at the end. */
  length: number
  /** What was found, and what was expected, with the place counted from 1. */
  message: string
}

export type ParsedExpression =
  | { tree: ExpressionNode; usedInputs: ReadonlySet<number>; fault?: undefined }
  | { tree?: undefined; usedInputs?: undefined; fault: ExpressionFault }

/**
 * Reads the expression of a formula: numbers, names of inputs, `+ - * / ^`, comparisons, parentheses and functions. Names count
 * in any letter case. `^` binds strongest and to the right, so `-2^2` is -4; comparisons bind weakest and give 1 or 0.
 */
export function parseExpression(text: string, inputNames: readonly string[]): ParsedExpression {
  try {
    return new Parser(text, inputNames).parse()
  } catch (error) {
    if (error instanceof Fault) return { fault: error.fault }
    throw error
  }
}

/** Whether a text may be the name of an input: letters, digits and _, no digit in front, at most 40 characters. */
export function isInputName(text: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_]{0,39}$/u.test(text)
}

interface Token {
  kind: 'number' | 'name' | 'sign' | 'end'
  text: string
  at: number
}

interface Part {
  node: ExpressionNode
  /** Numbers, inputs and functions. */
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
  /** Place behind the last token. */
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
    if (Object.hasOwn(functionRules, token.text.toLowerCase()))
      throw this.#fault(
        `${functionRules[token.text.toLowerCase()]!.usage} is a function and needs parentheses`,
        token,
      )
    const known =
      this.#inputNames.length === 0
        ? 'There are no inputs yet'
        : `The inputs are ${this.#inputNames.join(', ')}`
    throw this.#fault(`“${shown(token.text)}” is no input. ${known}`, token)
  }

  #function(token: Token): Part {
    const name = token.text.toLowerCase()
    const rule = Object.hasOwn(functionRules, name) ? functionRules[name] : undefined
    if (rule === undefined)
      throw this.#fault(
        `There is no function “${shown(token.text)}”. The functions are ${Object.keys(functionRules).join(', ')}`,
        token,
      )
    this.#sign('(')
    const parts: Part[] = []
    if (!this.#isSign(')'))
      do parts.push(this.#nested(() => this.#comparison()))
      while (this.#sign(',') !== undefined)
    this.#close('“,” or “)”')
    const { count } = rule
    const last = count === undefined || parts.length <= rule.least ? undefined : parts.pop()
    const isShort = count !== undefined && last === undefined && count.default === undefined
    if (parts.length < rule.least || parts.length > rule.most || isShort)
      throw this.#fault(`Write ${rule.usage}`, token)
    if (count === undefined) return this.#call(rule.name, parts)
    const value = last === undefined ? count.default! : wholeNumber(last.node)
    if (value === undefined || value < count.least || value > count.most)
      throw this.#fault(
        `The n of ${rule.usage} is a whole number from ${count.least} to ${count.most}, written as such`,
        token,
      )
    return this.#call(rule.name, parts, value)
  }

  #binary(sign: Token, left: Part, right: Part): Part {
    return this.#call(binaryFunctions[sign.text as keyof typeof binaryFunctions], [left, right])
  }

  #call(name: (ExpressionNode & { kind: 'call' })['function'], parts: readonly Part[], count?: number): Part {
    const size = parts.reduce((sum, part) => sum + part.size, 1)
    if (size > maxExpressionNodes)
      throw this.#fault(
        `A formula has at most ${maxExpressionNodes} numbers, inputs and functions. Make a part of it a formula of its own`,
      )
    const height = 1 + Math.max(...parts.map((part) => part.height))
    if (height > maxExpressionHeight)
      throw this.#fault(
        `The expression is too deep: at most ${maxExpressionHeight} operations may follow from each other. Make a part of it a formula of its own`,
      )
    const layers = Math.max(...parts.map((part) => part.layers)) + (count === undefined ? 0 : 1)
    if (layers > maxExpressionLayers)
      throw this.#fault(
        `round, lag, mean and sum may stand within each other at most ${maxExpressionLayers} deep`,
      )
    const node = {
      kind: 'call',
      function: name,
      arguments: parts.map((part) => part.node),
      ...(count === undefined ? {} : { count }),
    } as const
    return { node, size, height, layers }
  }

  /** What stands in parentheses, which the engine of this language has a limit of its own for. */
  #nested(read: () => Part): Part {
    if (++this.#parentheses > maxExpressionHeight)
      throw this.#fault(`Parentheses may stand within each other at most ${maxExpressionHeight} deep`)
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

  /** Takes one of these signs, if it is next. */
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
    const found = kind === 'end' ? 'the end' : `“${shown(text)}”`
    return this.#fault(`Expected ${expected}, but found ${found}`)
  }

  #fault(message: string, { at, text }: Token = this.#token): Fault {
    return new Fault(at, text.length, `${message} (character ${at + 1}).`)
  }
}

function wholeNumber(node: ExpressionNode): number | undefined {
  return node.kind === 'number' && Number.isInteger(node.value) ? node.value : undefined
}

function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
