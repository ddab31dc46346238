import { beginningOf, countOf } from '@headwater/contract'

/** A line that is still written: as on a screen, what comes after a carriage return stands in the place of what came before. */
export class OpenLine {
  readonly #most: number
  #text = ''
  #missing = 0
  #startsAnew = false

  /** @param most characters that are kept */
  constructor(most: number) {
    this.#most = most
  }

  /** Adds what comes next; it has no line end. */
  add(piece: string): void {
    let end = piece.length
    while (end > 0 && piece[end - 1] === '\r') end--
    if (end > 0) {
      const start = piece.lastIndexOf('\r', end - 1) + 1
      if (start > 0 || this.#startsAnew) this.#clear()
      this.#append(piece.slice(start, end))
    }
    // Also the end of a line may be a carriage return with a line feed; the line stays until something else comes.
    if (end < piece.length) this.#startsAnew = true
  }

  /** The line, which ends here; the next one begins. */
  end(): string {
    const line = this.toString()
    this.#clear()
    return line
  }

  /** The beginning of a line that is too long, and how many characters are left out. */
  toString(): string {
    if (this.#missing === 0) return this.#text
    return `${this.#text} … ${countOf(this.#missing, 'more character')}`
  }

  #append(text: string): void {
    const kept = this.#missing > 0 ? '' : beginningOf(text, this.#most - this.#text.length)
    this.#text += kept
    this.#missing += text.length - kept.length
  }

  #clear(): void {
    this.#text = ''
    this.#missing = 0
    this.#startsAnew = false
  }
}
