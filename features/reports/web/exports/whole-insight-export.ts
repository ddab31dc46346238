import { createContext, useContext } from 'react'

/** Format of the export of a whole insight. */
export type InsightExportForm = 'pdf' | 'xlsx'

/** Function that starts the export of the insight on the page. */
export const WholeInsightExportContext = createContext<(form: InsightExportForm) => void>(() => undefined)

/** Returns the function that starts the export of the insight on the page. */
export function useWholeInsightExport(): (form: InsightExportForm) => void {
  return useContext(WholeInsightExportContext)
}
