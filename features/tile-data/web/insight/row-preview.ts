import { createContext, useContext } from 'react'
import type { RowPreview } from '../../core/insight/row-preview.ts'

/** The previewed row, and the function that changes it. */
export const RowPreviewContext = createContext<{
  preview: RowPreview | undefined
  setPreview: (preview: RowPreview | undefined) => void
}>({ preview: undefined, setPreview: () => undefined })

/** Returns the previewed row of the insight, and the function that changes it. */
export function useRowPreview(): {
  preview: RowPreview | undefined
  setPreview: (preview: RowPreview | undefined) => void
} {
  return useContext(RowPreviewContext)
}
