import { countOf } from '@headwater/contract'

/** Maximum number of lines in the buffer. */
const maxLines = 200
/** Maximum number of characters in the buffer, and of one line. */
export const maxCharacters = 8000

/** Stores the last 200 lines of a text, at most 8,000 characters, and counts the lines before them. */
export class TailBuffer {
  readonly #lines: string[] = []
  #characters = 0
  #dropped = 0

  /** Adds a line and drops the oldest lines beyond the limits. The last line is always retained. */
  add(line: string): void {
    this.#lines.push(line)
    this.#characters += line.length + 1
    while (
      this.#lines.length > maxLines ||
      (this.#characters > maxCharacters + 1 && this.#lines.length > 1)
    ) {
      this.#characters -= this.#lines.shift()!.length + 1
      this.#dropped++
    }
  }

  /** Returns an independent copy. */
  copy(): TailBuffer {
    const copy = new TailBuffer()
    copy.#lines.push(...this.#lines)
    copy.#characters = this.#characters
    copy.#dropped = this.#dropped
    return copy
  }

  /** Returns the lines, with a note such as `… 3 lines before` at the start; empty if there are no lines. */
  toString(): string {
    const note = this.#dropped === 0 ? [] : [`… ${countOf(this.#dropped, 'line')} before`]
    return [...note, ...this.#lines].join('\n')
  }
}
