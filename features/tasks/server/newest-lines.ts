import { countOf } from '@headwater/contract'

/** Lines that are kept. */
export const mostLines = 200
/** Of a line that is longer its beginning is kept. */
export const mostCharacters = 8000

/** The newest 200 lines of a text, at most 8,000 characters of them, and how many lines came before. */
export class NewestLines {
  readonly #lines: string[] = []
  #characters = 0
  #dropped = 0

  /** The newest line stays, whatever its length. */
  add(line: string): void {
    this.#lines.push(line)
    this.#characters += line.length + 1
    while (
      this.#lines.length > mostLines ||
      (this.#characters > mostCharacters + 1 && this.#lines.length > 1)
    ) {
      this.#characters -= this.#lines.shift()!.length + 1
      this.#dropped++
    }
  }

  /** Counts lines after which so many others come that they are not kept. */
  skip(count: number): void {
    this.#dropped += count
  }

  copy(): NewestLines {
    const copy = new NewestLines()
    copy.#lines.push(...this.#lines)
    copy.#characters = this.#characters
    copy.#dropped = this.#dropped
    return copy
  }

  /** Empty when there is no line. */
  toString(): string {
    const note = this.#dropped === 0 ? [] : [`… ${countOf(this.#dropped, 'line')} before`]
    return [...note, ...this.#lines].join('\n')
  }
}
