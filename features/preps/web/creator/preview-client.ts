import { useQuery } from '@tanstack/react-query'
import { parseCsv } from '@headwater/csv'
import { callRaw, useSettled } from '@headwater/web-kit'
import { getData, previewDrawPoints, type SymbolMap } from '@headwater/symbols/contract'
import { toDataQuery } from '../../contract/index.ts'
import { definitionOf, type PrepDraft } from './draft.ts'

/** Maximum number of rows in the preview. */
export const previewRows = 500
/** Maximum number of lines in the chart, and of symbols for it. */
export const maxLines = 24
/** Pause in editing before the preview is requested, in milliseconds. */
const pauseMs = 400

/** First rows of the result, as in the file. */
export interface PreviewTable {
  /** Names of the columns. */
  header: string[]
  /** Cells of the rows. */
  rows: string[][]
  /** Whether these are all rows. */
  isWhole: boolean
  /** Duration of the request in milliseconds. */
  tookMs: number
}

/** Returns the draft as of the last pause in editing. */
export function usePausedDraft(draft: PrepDraft): PrepDraft {
  return useSettled(draft, pauseMs)
}

/** Queries the first rows of the result of a draft, in the order and format of the file. */
export function usePreviewTable(draft: PrepDraft, { enabled }: { enabled: boolean }) {
  return useQuery({
    queryKey: [getData.name, 'preview', identityOf(draft)],
    async queryFn({ signal }): Promise<PreviewTable> {
      const startedAt = performance.now()
      const query = {
        size: -1,
        order: draft.settings.order,
        // By default a limited result is sorted by timestamp; the file is sorted by series.
        sortSymbols: true,
        symbolSize: -1,
        csv: true,
        omitNulls: false,
        absoluteSize: previewRows,
      }
      const input = { query, body: toDataQuery(definitionOf(draft, '')) }
      const response = await callRaw(getData, input, { signal, headers: { Accept: 'text/csv' } })
      const [header = [], ...rows] = parseCsv(await response.text())
      return { header, rows, isWhole: rows.length < previewRows, tookMs: performance.now() - startedAt }
    },
    enabled,
    placeholderData: (previous) => previous,
  })
}

/** Series of a chart. */
export interface PreviewSeries {
  /** Keys and values of each series. */
  symbols: SymbolMap[]
  /** Timestamps in UTC milliseconds and values by column, for each series. */
  values: { timestamps: number[]; columns: Record<string, (number | string | null)[]> }[]
}

/** Queries points of the first symbols, reduced for drawing. */
export function usePreviewSeries(draft: PrepDraft, { enabled }: { enabled: boolean }) {
  return useQuery({
    queryKey: [getData.name, 'preview-chart', identityOf(draft)],
    async queryFn({ signal }): Promise<PreviewSeries> {
      const body = {
        ...toDataQuery(definitionOf(draft, '')),
        formatType: 'UI',
        outputLayout: 'ROWS',
        metadata: false,
        // One line for each series, without versions of points.
        corrections: 'false',
        order: 'asc',
        symbolSize: maxLines,
        drawPoints: previewDrawPoints,
      }
      const response = await callRaw(getData, { body }, { signal })
      return (await response.json()) as PreviewSeries
    },
    enabled,
    placeholderData: (previous) => previous,
  })
}

const identities = new WeakMap<PrepDraft, number>()
let lastIdentity = 0

/** Returns a number for each draft, because a basket with thousands of entries is too large for a query key. */
function identityOf(draft: PrepDraft): number {
  const known = identities.get(draft)
  if (known !== undefined) return known
  identities.set(draft, ++lastIdentity)
  return lastIdentity
}
