import { createContext, useContext } from 'react'

/** Where the tabs tell of their preview, beside the tabs. */
export const PreviewPlaceContext = createContext<HTMLElement | null>(null)

/** The place for words about the preview; null where there is none. */
export function usePreviewPlace(): HTMLElement | null {
  return useContext(PreviewPlaceContext)
}
