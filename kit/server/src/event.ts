/** An event of a feature. Later features subscribe to it. */
export interface Event<Args extends readonly unknown[]> {
  /** Adds a handler. Call it while the server is composed. */
  subscribe(handler: (...args: Args) => Promise<void>): void
}

/** An event that its owner emits. */
export interface EventEmitter<Args extends readonly unknown[]> extends Event<Args> {
  /**
   * Calls the handlers sequentially, in the order of their subscription. Throws the first error, so that the transaction of
   * the emitter is rolled back.
   */
  emit(...args: Args): Promise<void>
}

/** Creates an event without handlers. */
export function createEvent<Args extends readonly unknown[]>(): EventEmitter<Args> {
  const handlers: ((...args: Args) => Promise<void>)[] = []
  return {
    subscribe(handler) {
      handlers.push(handler)
    },
    async emit(...args) {
      for (const handler of handlers) await handler(...args)
    },
  }
}
