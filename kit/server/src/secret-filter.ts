/** A secret and its placeholder. */
export interface Redaction {
  /** The secret. Secrets shorter than {@link minSecretLength} characters are not replaced. */
  secret: string
  /** Text that replaces the secret, for example `[token]`. */
  placeholder: string
}

/**
 * Shorter secrets also occur in ordinary text. Replacing them would make the text unreadable without hiding the secret.
 */
export const minSecretLength = 4
/** Minimum length of a Base64 fragment that is replaced, in characters. */
const minBase64Length = 5

/**
 * Replaces secrets in texts that other users can read. Also replaces secrets that are encoded in Base64 (with both alphabets
 * and at any position), in URLs or in JSON. Streams are filtered piece by piece.
 */
export class SecretFilter {
  /** Placeholders by encoded secret. */
  readonly #placeholders = new Map<string, string>()
  /** Encoded secrets by their first character, longest first. */
  readonly #byFirst = new Map<string, string[]>()
  #pattern: RegExp | undefined
  #maxLength = 0
  #held = ''
  /** Number of characters at the start of the buffered text that a placeholder has already replaced. */
  #hidden = 0

  /** @param redactions secrets known from the start; {@link add} adds more */
  constructor(redactions: readonly Redaction[] = []) {
    for (const redaction of redactions) this.add(redaction)
  }

  /** Adds a secret to replace from now on. */
  add({ secret, placeholder }: Redaction): void {
    if (secret.length < minSecretLength) return
    for (const text of encodingsOf(secret))
      if (!this.#placeholders.has(text)) this.#placeholders.set(text, placeholder)
    const texts = [...this.#placeholders.keys()].toSorted((a, b) => b.length - a.length)
    this.#pattern = new RegExp(texts.map(escapePattern).join('|'), 'g')
    this.#maxLength = texts[0]!.length
    this.#byFirst.clear()
    for (const text of texts) this.#byFirst.set(text[0]!, [...(this.#byFirst.get(text[0]!) ?? []), text])
  }

  /**
   * Returns a complete text without the secrets. Overlapping secrets are replaced by the placeholder of the first one.
   */
  hide(text: string): string {
    return this.#replace(text, 0, text.length).visible
  }

  /** Filters the next piece of a stream. Buffers a possible beginning of a secret until the next piece. */
  take(piece: string): string {
    const text = this.#held + piece
    const end = this.#beginningAtEndOf(text)
    const { visible, hiddenTo } = this.#replace(text, this.#hidden, end)
    this.#held = text.slice(end)
    this.#hidden = Math.max(0, hiddenTo - end)
    return visible
  }

  /** Returns the buffered text at the end of the stream. */
  end(): string {
    const { visible } = this.#replace(this.#held, this.#hidden, this.#held.length)
    this.#held = ''
    this.#hidden = 0
    return visible
  }

  /**
   * Replaces the secrets that begin before `end`.
   * @param hidden number of characters at the start that a placeholder has already replaced
   * @returns the text up to `end`, and the end of its last secret, which can be after `end`
   */
  #replace(text: string, hidden: number, end: number): { visible: string; hiddenTo: number } {
    let visible = ''
    let hiddenTo = hidden
    for (const match of this.#secretsIn(text)) {
      if (match.index >= end) break
      if (match.index >= hiddenTo)
        visible += text.slice(hiddenTo, match.index) + this.#placeholders.get(match[0])!
      hiddenTo = Math.max(hiddenTo, match.index + match[0].length)
    }
    return { visible: visible + text.slice(hiddenTo, end), hiddenTo }
  }

  /** Finds the longest secret at each index, including secrets inside other ones. */
  *#secretsIn(text: string): Generator<RegExpExecArray> {
    const pattern = this.#pattern
    if (pattern === undefined) return
    for (let from = 0; ;) {
      pattern.lastIndex = from
      const match = pattern.exec(text)
      if (match === null) return
      yield match
      from = match.index + 1
    }
  }

  /**
   * Returns the index where an incomplete secret begins that reaches to the end of the text; the length of the text if there
   * is none.
   */
  #beginningAtEndOf(text: string): number {
    for (let index = Math.max(0, text.length - this.#maxLength + 1); index < text.length; index++) {
      const length = text.length - index
      const isBeginning = this.#byFirst
        .get(text[index]!)
        ?.some((secret) => secret.length > length && text.endsWith(secret.slice(0, length)))
      if (isBeginning) return index
    }
    return text.length
  }
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

/** Returns the secret and all of its encodings to replace. */
function encodingsOf(secret: string): Set<string> {
  return new Set([
    secret,
    ...jsonEncodingsOf(secret),
    ...urlEncodingsOf(secret),
    ...base64EncodingsOf(secret),
  ])
}

/** Returns the secret as JavaScript and Python encode it in a JSON string, and in JSON nested in JSON. */
function jsonEncodingsOf(secret: string): string[] {
  const inside = (text: string) => JSON.stringify(text).slice(1, -1)
  const ascii = (text: string) =>
    inside(text).replace(
      /[^\u0020-\u007e]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
  const once = [inside(secret), ascii(secret), inside(secret).replaceAll('/', '\\/')]
  return [...once, ...once.map(inside)]
}

/**
 * Returns the secret as JavaScript, HTML forms and Python encode it in a URL, with upper-case and lower-case hex
 * digits.
 */
function urlEncodingsOf(secret: string): string[] {
  const component = encodeURIComponent(secret.toWellFormed())
  const strict = component.replace(/[!'()*]/g, percentOf)
  const texts = [component, strict, strict.replaceAll('~', '%7E')].flatMap((text) => [
    text,
    text.replaceAll('%20', '+'),
    text.replaceAll('%2F', '/'),
  ])
  return texts.flatMap((text) => [text, lowerCodesOf(text)])
}

function lowerCodesOf(text: string): string {
  return text.replace(/%../g, (code) => code.toLowerCase())
}

function percentOf(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/**
 * Returns the Base64 fragment that depends only on the secret, for each of the three alignments of its first byte. The
 * characters at both ends share bits with neighbouring text.
 */
function base64EncodingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const start = Math.ceil((before * 8) / 6)
    const end = Math.floor(((before + bytes.length) * 8) / 6)
    const part = text.slice(start, end)
    if (part.length < minBase64Length) return []
    const inUrl = part.replaceAll('+', '%2B').replaceAll('/', '%2F')
    return [part, part.replaceAll('+', '-').replaceAll('/', '_'), inUrl, lowerCodesOf(inUrl)]
  })
}
