import { beginningOf, countOf } from '@headwater/contract'

/** Buffers the current line of a stream. As in a terminal, text after a carriage return replaces the text before it. */
export class LineBuffer {
  readonly #maxLength: number
  #text = ''
  #missing = 0
  #replacesText = false

  /** @param maxLength maximum length of the stored text, in characters */
  constructor(maxLength: number) {
    this.#maxLength = maxLength
  }

  /** Appends a chunk without line endings. */
  add(piece: string): void {
    let end = piece.length
    while (end > 0 && piece[end - 1] === '\r') end--
    if (end > 0) {
      const start = piece.lastIndexOf('\r', end - 1) + 1
      if (start > 0 || this.#replacesText) this.#clear()
      this.#append(piece.slice(start, end))
    }
    // The carriage return can be part of a line ending (CR LF), so the text remains until more text arrives.
    if (end < piece.length) this.#replacesText = true
  }

  /** Returns the line and starts the next one. */
  end(): string {
    const line = this.toString()
    this.#clear()
    return line
  }

  /** Returns the line; for a line over the limit, its beginning and the number of omitted characters. */
  toString(): string {
    if (this.#missing === 0) return this.#text
    return `${this.#text} … ${countOf(this.#missing, 'more character')}`
  }

  #append(text: string): void {
    const stored = this.#missing > 0 ? '' : beginningOf(text, this.#maxLength - this.#text.length)
    this.#text += stored
    this.#missing += text.length - stored.length
  }

  #clear(): void {
    this.#text = ''
    this.#missing = 0
    this.#replacesText = false
  }
}
