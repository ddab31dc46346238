import { createContext, useContext } from 'react'

/** What the export of a whole insight becomes. */
export type InsightExportForm = 'pdf' | 'xlsx'

/** Starts the export of the insight on the page. */
export const WholeInsightExportContext = createContext<(form: InsightExportForm) => void>(() => undefined)

/** Returns the function that starts the export of the insight on the page. */
export function useWholeInsightExport(): (form: InsightExportForm) => void {
  return useContext(WholeInsightExportContext)
}
