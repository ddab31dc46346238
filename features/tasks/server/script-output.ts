import { maxCharacters, maxLines, TailBuffer } from './tail-buffer.ts'
import { LineBuffer } from './line-buffer.ts'
import { SecretFilter } from './secret-filter.ts'

/** The last lines of the output of a script. Replaces the token of its run and drops zero bytes. */
export class ScriptOutput {
  readonly #lines = new TailBuffer()
  readonly #streams: Record<'stdout' | 'stderr', { filter: SecretFilter; line: LineBuffer }>

  /** @param token of the run; the output shows `[token]` instead */
  constructor(token: string) {
    const stream = () => ({ filter: new SecretFilter(token, '[token]'), line: new LineBuffer(maxCharacters) })
    this.#streams = { stdout: stream(), stderr: stream() }
  }

  /** Adds the next piece of a stream. */
  write(text: string, stream: 'stdout' | 'stderr'): void {
    const { filter, line } = this.#streams[stream]
    this.#add(filter.take(withoutZeroBytes(text)), line)
  }

  /** Adds the text that the filters hold back. Call it once, when both streams have ended. */
  end(): void {
    for (const { filter, line } of Object.values(this.#streams)) this.#add(filter.end(), line)
  }

  /** Returns a message about the script without the token and zero bytes. */
  hide(text: string): string {
    return this.#streams.stdout.filter.hide(withoutZeroBytes(text))
  }

  /**
   * Returns the last 200 lines, at most 8,000 characters, including unfinished lines, after a note with the number of lines before
   * them. Empty without output.
   */
  toString(): string {
    const lines = this.#lines.copy()
    for (const { line } of Object.values(this.#streams)) {
      const text = line.toString()
      if (text !== '') lines.add(text)
    }
    return lines.toString()
  }

  #add(text: string, line: LineBuffer): void {
    const pieces = text.split('\n')
    const last = pieces.pop()!
    const skipped = Math.max(0, pieces.length - maxLines)
    if (skipped > 0) {
      line.end()
      this.#lines.skip(skipped)
    }
    for (const piece of pieces.slice(skipped)) {
      line.add(piece)
      this.#lines.add(line.end())
    }
    line.add(last)
  }
}

/** PostgreSQL cannot store zero bytes. A token with zero bytes between its characters, as in UTF-16, would be complete once they are dropped. */
function withoutZeroBytes(text: string): string {
  return text.replaceAll('\u0000', '')
}
