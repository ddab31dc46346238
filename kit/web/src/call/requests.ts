import { createStore } from './store.ts'

/** One call that has not been answered yet. */
export interface OpenRequest {
  id: number
  /** Name of the route. */
  name: string
  startedAtMs: number
}

interface Entry extends OpenRequest {
  controller: AbortController
}

const open = createStore<readonly Entry[]>([])
let lastId = 0

/** Enters a call into the list of open requests; `abort` of the list ends it. */
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

/** The open requests at the moment. */
export function openRequests(): readonly OpenRequest[] {
  return open.get()
}
