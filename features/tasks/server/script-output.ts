import { beginningOf } from '@headwater/contract'

const mostLines = 200
const mostCharacters = 8000

/** The newest of what a script wrote, and how much came before. */
export class ScriptOutput {
  readonly #lines: string[] = []
  #characters = 0
  #dropped = 0

  add(line: string): void {
    const kept = beginningOf(line, mostCharacters)
    this.#lines.push(kept)
    this.#characters += kept.length + 1
    while (this.#lines.length > mostLines || this.#characters > mostCharacters + 1) {
      this.#characters -= this.#lines.shift()!.length + 1
      this.#dropped++
    }
  }

  /** The newest 200 lines, at most 8,000 characters; says how many lines came before them. Empty when nothing was written. */
  toString(): string {
    const count = this.#dropped.toLocaleString('en')
    const note = this.#dropped === 0 ? [] : [`… ${count} ${this.#dropped === 1 ? 'line' : 'lines'} before`]
    return [...note, ...this.#lines].join('\n')
  }
}
