import { createStore } from './store.ts'

/** A call that is waiting for its response. */
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

/** Open requests, oldest first. */
export const openRequests = createStore<readonly Entry[]>([])
let lastId = 0

/** Adds a call to the list of open requests, so that it can be aborted. */
export function openRequest(name: string, startedAtMs: number): { signal: AbortSignal; close: () => void } {
  const controller = new AbortController()
  const id = ++lastId
  openRequests.set([...openRequests.get(), { id, name, startedAtMs, controller }])
  return {
    signal: controller.signal,
    close: () => openRequests.set(openRequests.get().filter((entry) => entry.id !== id)),
  }
}

/** Aborts every open request and empties the list. */
export function abortAllRequests(): void {
  const entries = openRequests.get()
  openRequests.set([])
  for (const entry of entries) entry.controller.abort(new DOMException('The page was left.', 'AbortError'))
}
