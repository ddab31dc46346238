/** An error in an expression. */
export interface ExpressionFault {
  /** Position of the first invalid character, from 0. For an error at the end, the length of the text. */
  at: number
  /** Length of the invalid text, in characters; 0 at the end. */
  length: number
  /** Message with the unexpected text, the expected text and the position, which it counts from 1. */
  message: string
}

/** Carries the error of an expression through the parser. */
export class Fault extends Error {
  readonly fault: ExpressionFault

  constructor(at: number, length: number, message: string) {
    super(message)
    this.fault = { at, length, message }
  }
}

/** A token of an expression. */
export interface Token<Kind extends string> {
  kind: Kind | 'punctuator' | 'end'
  text: string
  at: number
}

/** Reads the tokens of an expression, and contains the syntax rules that the parsers share. */
export class TokenReader<Kind extends string> {
  protected token: Token<Kind>
  readonly #text: string
  readonly #pattern: RegExp
  readonly #kinds: readonly (Kind | 'punctuator')[]
  readonly #maxDepth: number
  /** Position after the last consumed token. */
  #next = 0
  #depth = 0

  /**
   * @param pattern sticky pattern of a token after optional spaces, with one capturing group per kind
   * @param kinds kinds of tokens in the order of the groups
   */
  constructor(
    text: string,
    {
      pattern,
      kinds,
      maxLength,
      maxDepth,
    }: {
      pattern: RegExp
      kinds: readonly (Kind | 'punctuator')[]
      maxLength: number
      maxDepth: number
    },
  ) {
    if (text.length > maxLength)
      throw new Fault(
        maxLength,
        text.length - maxLength,
        `The expression has ${text.length} characters; at most ${maxLength} are allowed.`,
      )
    this.#text = text
    this.#pattern = pattern
    this.#kinds = kinds
    this.#maxDepth = maxDepth
    this.token = this.#read()
  }

  /** Limits the nesting depth of parentheses, because the JavaScript stack is limited. */
  protected nested<Part>(read: () => Part): Part {
    if (++this.#depth > this.#maxDepth)
      throw this.fault(`Parentheses can be nested at most ${this.#maxDepth} deep`)
    const part = read()
    this.#depth--
    return part
  }

  protected close(expected: string, punctuator = ')'): void {
    if (this.consume(punctuator) === undefined) throw this.unexpected(expected)
  }

  protected isPunctuator(...punctuators: readonly string[]): boolean {
    return this.token.kind === 'punctuator' && punctuators.includes(this.token.text)
  }

  /** Consumes the token if it is one of these punctuators; otherwise returns undefined. */
  protected consume(...punctuators: readonly string[]): Token<Kind> | undefined {
    if (!this.isPunctuator(...punctuators)) return undefined
    const token = this.token
    this.advance()
    return token
  }

  protected advance(): void {
    this.token = this.#read()
  }

  protected unexpected(expected: string): Fault {
    const { kind, text } = this.token
    const actual = kind === 'end' ? 'the end' : `“${shortened(text)}”`
    return this.fault(`Expected ${expected}, but found ${actual}`)
  }

  protected fault(message: string, { at, text }: Token<Kind> = this.token): Fault {
    return new Fault(at, text.length, `${message} (character ${at + 1}).`)
  }

  #read(): Token<Kind> {
    this.#pattern.lastIndex = this.#next
    const match = this.#pattern.exec(this.#text)
    if (match !== null) {
      this.#next = this.#pattern.lastIndex
      const group = match.findIndex((part, index) => index > 0 && part !== undefined)
      const text = match[group]!
      return { kind: this.#kinds[group - 1]!, text, at: this.#next - text.length }
    }
    const at = this.#next + /^\s*/.exec(this.#text.slice(this.#next))![0].length
    if (at >= this.#text.length) return { kind: 'end', text: '', at: this.#text.length }
    const text = String.fromCodePoint(this.#text.codePointAt(at)!)
    throw new Fault(at, text.length, `Unexpected “${text}” at character ${at + 1}.`)
  }
}

/** Shortens text for a message. */
export function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
