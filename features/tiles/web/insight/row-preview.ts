import { createContext, useContext } from 'react'
import type { RowPreview } from '../../core/insight/row-preview.ts'

/** The row that is previewed at the moment, and how to preview another one or none. */
export const RowPreviewContext = createContext<{
  preview: RowPreview | undefined
  setPreview: (preview: RowPreview | undefined) => void
}>({ preview: undefined, setPreview: () => undefined })

/** The row that is previewed in the insight around. */
export function useRowPreview(): {
  preview: RowPreview | undefined
  setPreview: (preview: RowPreview | undefined) => void
} {
  return useContext(RowPreviewContext)
}
