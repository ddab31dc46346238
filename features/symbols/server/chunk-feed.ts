/** Number of buffered chunks at which the writer waits. */
const maxWaiting = 8

/** Passes chunks from a writer to a reader, with backpressure when the reader is slower. */
export class ChunkFeed implements AsyncIterableIterator<Uint8Array> {
  #waiting: Uint8Array[] = []
  #isEnded = false
  #isLeft = false
  #failure: Error | undefined
  #wakeReader = () => {}
  #wakeWriter = () => {}

  /** Adds a chunk; settles when the buffer has space for the next one. After the reader has stopped, chunks are discarded. */
  async put(chunk: Uint8Array): Promise<void> {
    if (this.#isLeft) return
    this.#waiting.push(chunk)
    this.#wakeReader()
    while (this.#waiting.length >= maxWaiting && !this.#isLeft)
      await new Promise<void>((resolve) => (this.#wakeWriter = resolve))
  }

  /** Marks the end of the chunks. */
  end(): void {
    this.#isEnded = true
    this.#wakeReader()
  }

  /** Makes the reader fail with an error. */
  fail(failure: Error): void {
    this.#failure ??= failure
    this.#wakeReader()
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure
      const value = this.#waiting.shift()
      this.#wakeWriter()
      if (value !== undefined) return { done: false, value }
      if (this.#isEnded || this.#isLeft) return { done: true, value: undefined }
      await new Promise<void>((resolve) => (this.#wakeReader = resolve))
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#isLeft = true
    this.#waiting = []
    this.#wakeWriter()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
