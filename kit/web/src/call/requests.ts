import { createStore } from './store.ts'

/** A call without a response so far. */
export interface OpenRequest {
  /** Number of the call. */
  id: number
  /** Name of the route. */
  name: string
  /** Start time, epoch milliseconds. */
  startedAtMs: number
}

interface Entry extends OpenRequest {
  controller: AbortController
}

const open = createStore<readonly Entry[]>([])
let lastId = 0

/** Adds a call to the list of open requests, which can abort it. */
export function openRequest(name: string, startedAtMs: number): { signal: AbortSignal; close: () => void } {
  const controller = new AbortController()
  const id = ++lastId
  open.set([...open.get(), { id, name, startedAtMs, controller }])
  return {
    signal: controller.signal,
    close: () => open.set(open.get().filter((entry) => entry.id !== id)),
  }
}

/** Aborts every open request and empties the list. */
export function abortAllRequests(): void {
  const entries = open.get()
  open.set([])
  for (const entry of entries) entry.controller.abort(new DOMException('The page was left.', 'AbortError'))
}

/** Returns the open requests. */
export function openRequests(): readonly OpenRequest[] {
  return open.get()
}
