import { type Redaction, SecretFilter } from '@headwater/server-kit'
import { LineBuffer } from './line-buffer.ts'
import { maxCharacters, TailBuffer } from './tail-buffer.ts'

/** The streams of a script. */
export type OutputStream = 'stdout' | 'stderr'

interface StreamState {
  name: OutputStream
  filter: SecretFilter
  line: LineBuffer
}

/**
 * Collects the last lines of a script's output, and passes on each line as soon as it ends. Redacts secrets and drops zero
 * bytes.
 */
export class ScriptOutput {
  readonly #lines = new TailBuffer()
  readonly #streams: Record<OutputStream, StreamState>
  readonly #onLine: ((line: string, stream: OutputStream) => void) | undefined

  /**
   * @param redactions secrets of the run, for example its token
   * @param onLine receives each line when it ends
   */
  constructor(redactions: readonly Redaction[], onLine?: (line: string, stream: OutputStream) => void) {
    const stream = (name: OutputStream) => ({
      name,
      filter: new SecretFilter(redactions),
      line: new LineBuffer(maxCharacters),
    })
    this.#streams = { stdout: stream('stdout'), stderr: stream('stderr') }
    this.#onLine = onLine
  }

  /** Adds the next chunk of a stream. */
  write(text: string, stream: OutputStream): void {
    const state = this.#streams[stream]
    this.#add(state.filter.take(withoutZeroBytes(text)), state)
  }

  /** Adds the text that the filters have buffered. Call it once, after both streams have ended. */
  end(): void {
    for (const state of Object.values(this.#streams)) {
      this.#add(state.filter.end(), state)
      const unfinished = state.line.toString()
      if (unfinished !== '') this.#onLine?.(unfinished, state.name)
    }
  }

  /** Returns a message about the script with secrets redacted and without zero bytes. */
  hide(text: string): string {
    return this.#streams.stdout.filter.hide(withoutZeroBytes(text))
  }

  /**
   * Returns a note with the number of omitted lines, followed by the last 200 lines, at most 8,000 characters, including
   * unfinished lines. Empty if there is no output.
   */
  toString(): string {
    const lines = this.#lines.copy()
    for (const { line } of Object.values(this.#streams)) {
      const text = line.toString()
      if (text !== '') lines.add(text)
    }
    return lines.toString()
  }

  #add(text: string, { name, line }: StreamState): void {
    const pieces = text.split('\n')
    const last = pieces.pop()!
    for (const piece of pieces) {
      line.add(piece)
      const ended = line.end()
      this.#lines.add(ended)
      this.#onLine?.(ended, name)
    }
    line.add(last)
  }
}

/**
 * Drops zero bytes, which PostgreSQL cannot store. They must be dropped before redaction: a token with zero bytes between its
 * characters, as in UTF-16, would otherwise not be recognised.
 */
function withoutZeroBytes(text: string): string {
  return text.replaceAll('\u0000', '')
}
