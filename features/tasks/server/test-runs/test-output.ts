import { PassThrough } from 'node:stream'
import type { TestEvent } from '../../contract/index.ts'

/** Maximum number of lines sent from the beginning of the output. */
const maxLines = 1000
/** Maximum number of characters of these lines. */
const maxCharacters = 500_000
/** Number of lines sent from the end of longer output, which contains the error. */
const lastLines = 50

type LineEvent = Extract<TestEvent, { type: 'line' }>
/** A frame of the script itself in a Python traceback. */
const scriptFrame = /^\s*File "\/run\/script\/main\.py", line (\d+)/

/** The response of a test run as JSON lines: the beginning and end of the output, then the result. */
export class TestOutput {
  /** The response. */
  readonly stream = new PassThrough()
  #lines = 0
  #characters = 0
  #omitted = 0
  readonly #last: LineEvent[] = []
  #errorLine: number | null = null

  /** Adds a line of output. */
  add(text: string, stream: LineEvent['stream']): void {
    const frame = stream === 'stderr' ? scriptFrame.exec(text)?.[1] : undefined
    if (frame !== undefined) this.#errorLine = Number(frame)
    const line: LineEvent = { type: 'line', text, stream }
    if (
      this.#last.length === 0 &&
      this.#lines < maxLines &&
      this.#characters + text.length <= maxCharacters
    ) {
      this.#lines += 1
      this.#characters += text.length
      this.send(line)
      return
    }
    this.#last.push(line)
    if (this.#last.length <= lastLines) return
    this.#last.shift()
    this.#omitted += 1
  }

  /** Sends an event. Does nothing after the caller has disconnected. */
  send(event: TestEvent): void {
    if (!this.stream.destroyed && !this.stream.writableEnded) this.stream.write(`${JSON.stringify(event)}\n`)
  }

  /** Sends the last lines and the result, and ends the response. */
  end(result: Omit<Extract<TestEvent, { type: 'result' }>, 'type' | 'line'>): void {
    if (this.#omitted > 0) this.send({ type: 'omitted', lines: this.#omitted })
    for (const line of this.#last) this.send(line)
    this.send({ type: 'result', ...result, line: result.status === 'INFO' ? null : this.#errorLine })
    this.stream.end()
  }
}
