import { createStore, useStore } from '../call/store.ts'

interface OpenOverlay {
  id: string
  /** Path of the URL when the panel opened. If a page was loading, the path of the new page. */
  pathname: string
}

const open = createStore<OpenOverlay | undefined>(undefined)

/** Opens a panel over the page and closes the one that was open. */
export function openOverlay(id: string): void {
  open.set({ id, pathname: location.pathname })
}

/** Closes the open panel, if any. */
export function closeOverlays(): void {
  open.set(undefined)
}

/** Returns the open panel, and renders again when it changes. */
export function useOpenOverlay(): OpenOverlay | undefined {
  return useStore(open)
}
