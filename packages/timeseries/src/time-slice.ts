import { setImmediate as nextTurn } from 'node:timers/promises'

const sliceMs = 10

/** Limits how long a computation runs before it lets the server handle other work. */
export class TimeSlice {
  readonly #signal: AbortSignal | undefined
  #endMs = performance.now() + sliceMs

  /** @param signal cancels the computation */
  constructor(signal?: AbortSignal) {
    this.#signal = signal
  }

  get isOver(): boolean {
    return performance.now() >= this.#endMs
  }

  /**
   * Lets other work run, then starts the next slice.
   * @throws `signal.reason` if the signal has aborted
   */
  async next(): Promise<void> {
    await nextTurn()
    this.#signal?.throwIfAborted()
    this.#endMs = performance.now() + sliceMs
  }

  /** Runs a generator to its end. Other work can run at each `yield`. */
  async run<T>(work: Generator<void, T>): Promise<T> {
    for (;;) {
      const step = work.next()
      if (step.done) return step.value
      if (this.isOver) await this.next()
    }
  }
}
