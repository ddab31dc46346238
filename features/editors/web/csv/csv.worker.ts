import { type CsvSource, type CsvStep, indexCsv } from './index-csv.ts'

/** Messages of the worker: the next phase, a step, or the end with the layout or the damage of the file. */
export type CsvNews = { phase: 'UPLOAD' | 'CHECK' } | CsvStep | { layout: ReturnType<typeof indexCsv> }

addEventListener('message', ({ data }: MessageEvent<CsvSource>) => {
  postMessage({ phase: 'CHECK' } satisfies CsvNews)
  const layout = indexCsv(data, (step) => {
    postMessage(step satisfies CsvNews, { transfer: 'rows' in step ? [step.rows.buffer] : [] })
  })
  postMessage({ layout } satisfies CsvNews, {
    transfer: typeof layout === 'string' ? [] : [layout.bytes.buffer],
  })
})
postMessage({ phase: 'UPLOAD' } satisfies CsvNews)
