import { mostCharacters, mostLines, NewestLines } from './newest-lines.ts'
import { OpenLine } from './open-line.ts'
import { SecretFilter } from './secret-filter.ts'

/** The newest of what a script wrote, and how much came before. The token of its run and zero bytes are taken out of it. */
export class ScriptOutput {
  readonly #lines = new NewestLines()
  readonly #streams: Record<'stdout' | 'stderr', { filter: SecretFilter; open: OpenLine }>

  constructor(token: string) {
    const stream = () => ({ filter: new SecretFilter(token, '[token]'), open: new OpenLine(mostCharacters) })
    this.#streams = { stdout: stream(), stderr: stream() }
  }

  /** Takes the next piece of a stream. */
  write(text: string, stream: 'stdout' | 'stderr'): void {
    this.#take(this.#streams[stream].filter.take(withoutZeroBytes(text)), this.#streams[stream].open)
  }

  /** To be called when no more comes. */
  end(): void {
    for (const { filter, open } of Object.values(this.#streams)) this.#take(filter.end(), open)
  }

  /** A text that says something of the script, without the token and zero bytes. */
  hide(text: string): string {
    return this.#streams.stdout.filter.hide(withoutZeroBytes(text))
  }

  /**
   * The newest 200 lines, at most 8,000 characters of them, those included that have not ended yet; says how many lines came
   * before. Empty when nothing was written.
   */
  toString(): string {
    const lines = this.#lines.copy()
    for (const { open } of Object.values(this.#streams)) {
      const line = open.toString()
      if (line !== '') lines.add(line)
    }
    return lines.toString()
  }

  #take(text: string, open: OpenLine): void {
    const pieces = text.split('\n')
    const last = pieces.pop()!
    const skipped = Math.max(0, pieces.length - mostLines)
    if (skipped > 0) {
      open.end()
      this.#lines.skip(skipped)
    }
    for (const piece of pieces.slice(skipped)) {
      open.add(piece)
      this.#lines.add(open.end())
    }
    open.add(last)
  }
}

/** They cannot be stored, so a token that has some within, as in UTF-16, would be whole again where it is read. */
function withoutZeroBytes(text: string): string {
  return text.replaceAll('\u0000', '')
}
