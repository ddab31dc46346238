import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { parseCsv } from '@headwater/csv'
import { callRaw } from '@headwater/web-kit'
import { getData, type SymbolMap } from '@headwater/symbols/contract'
import { toDataQuery } from '../../contract/index.ts'
import { definitionOf, type PrepDraft } from './draft.ts'

/** Rows of the preview. */
export const previewRows = 500
/** Series that the chart draws at most, and symbols they are taken from. */
export const maxLines = 24
/** About so many points of each series are drawn. */
const drawnPoints = 2000
/** How long one has to pause before a changed draft is asked for. */
const pauseMs = 400

/** The first rows of the answer, as they will stand in the file. */
export interface PreviewTable {
  header: string[]
  rows: string[][]
  /** Whether these are all rows. */
  isWhole: boolean
  tookMs: number
}

/** The draft as it was when its author last paused. */
export function usePausedDraft(draft: PrepDraft): PrepDraft {
  const [paused, setPaused] = useState(draft)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(draft), pauseMs)
    return () => clearTimeout(timer)
  }, [draft])
  return paused
}

/** The first rows of the answer to a draft, in the order and form of the file. */
export function usePreviewTable(draft: PrepDraft, { enabled }: { enabled: boolean }) {
  return useQuery({
    queryKey: [getData.name, 'preview', identityOf(draft)],
    async queryFn({ signal }): Promise<PreviewTable> {
      const startedAt = performance.now()
      const query = {
        size: -1,
        order: draft.settings.order,
        // a limited answer is mixed by timestamp, the file goes series after series
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

/** Series for a chart. */
export interface PreviewSeries {
  symbols: SymbolMap[]
  values: { timestamps: number[]; columns: Record<string, (number | string | null)[]> }[]
}

/** Points of the first symbols, thinned out for drawing. */
export function usePreviewSeries(draft: PrepDraft, { enabled }: { enabled: boolean }) {
  return useQuery({
    queryKey: [getData.name, 'preview-chart', identityOf(draft)],
    async queryFn({ signal }): Promise<PreviewSeries> {
      const body = {
        ...toDataQuery(definitionOf(draft, '')),
        formatType: 'UI',
        outputLayout: 'ROWS',
        metadata: false,
        // one line for each series: versions of points have none of their own
        corrections: 'false',
        order: 'asc',
        symbolSize: maxLines,
        drawPoints: drawnPoints,
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

/** A number for each draft: a basket of thousands of entries makes no good key of a query. */
function identityOf(draft: PrepDraft): number {
  const known = identities.get(draft)
  if (known !== undefined) return known
  identities.set(draft, ++lastIdentity)
  return lastIdentity
}
