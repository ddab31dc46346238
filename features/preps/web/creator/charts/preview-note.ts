import { createContext, useContext } from 'react'

/** Element for the note about the preview, next to the tabs. */
export const PreviewNoteContext = createContext<HTMLElement | null>(null)

/** Returns the element for the note about the preview; null outside of the creator. */
export function usePreviewNoteTarget(): HTMLElement | null {
  return useContext(PreviewNoteContext)
}
