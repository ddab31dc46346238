/** Events by which an earlier feature answers later ones; handlers run in order and are awaited by the emitter. */
export interface Events<Map extends Record<string, unknown>> {
  on<Name extends keyof Map>(name: Name, handler: (event: Map[Name]) => Promise<void> | void): void
  emit<Name extends keyof Map>(name: Name, event: Map[Name]): Promise<void>
}

/** Creates an emitter. An error of a handler reaches the emitter, so that a transaction around it can fail. */
export function createEvents<Map extends Record<string, unknown>>(): Events<Map> {
  const handlers = new Map<keyof Map, ((event: never) => Promise<void> | void)[]>()
  return {
    on(name, handler) {
      handlers.set(name, [...(handlers.get(name) ?? []), handler as never])
    },
    async emit(name, event) {
      for (const handler of handlers.get(name) ?? []) await handler(event as never)
    },
  }
}
