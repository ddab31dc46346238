/** Chunks that may wait to be read. */
const maxWaiting = 8

/** Hands chunks from whoever has them to a reader, and holds back the one when the other is slower. */
export class ChunkFeed implements AsyncIterableIterator<Uint8Array> {
  #waiting: Uint8Array[] = []
  #isEnded = false
  #isLeft = false
  #failure: Error | undefined
  #wakeReader = () => {}
  #wakeWriter = () => {}

  /** Gives a chunk; settles when the next one may come. A reader that has left takes nothing and holds back nobody. */
  async put(chunk: Uint8Array): Promise<void> {
    if (this.#isLeft) return
    this.#waiting.push(chunk)
    this.#wakeReader()
    while (this.#waiting.length >= maxWaiting && !this.#isLeft)
      await new Promise<void>((resolve) => (this.#wakeWriter = resolve))
  }

  /** There are no more chunks. */
  end(): void {
    this.#isEnded = true
    this.#wakeReader()
  }

  /** Ends the reading with an error. */
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
