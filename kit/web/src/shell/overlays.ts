import { createStore, useStore } from '../call/store.ts'

interface OpenOverlay {
  id: string
  /** Path of the address when the panel opened; while a page loads, it is that of the new page. */
  pathname: string
}

const open = createStore<OpenOverlay | undefined>(undefined)

/** Opens the panel with this id over the page; the one that was open closes. */
export function openOverlay(id: string): void {
  open.set({ id, pathname: location.pathname })
}

/** Closes whatever panel is open. */
export function closeOverlays(): void {
  open.set(undefined)
}

/** The open panel, watched. */
export function useOpenOverlay(): OpenOverlay | undefined {
  return useStore(open)
}
