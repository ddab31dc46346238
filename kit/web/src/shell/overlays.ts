import { createStore, useStore } from '../call/store.ts'

const open = createStore<string | undefined>(undefined)

/** Opens the panel with this id over the page; the one that was open closes. */
export function openOverlay(id: string): void {
  open.set(id)
}

/** Closes whatever panel is open. */
export function closeOverlays(): void {
  open.set(undefined)
}

/** The id of the open panel, watched. */
export function useOpenOverlay(): string | undefined {
  return useStore(open)
}
