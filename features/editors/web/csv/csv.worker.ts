import { type CsvSource, type CsvStep, indexCsv } from './index-csv.ts'

/** Messages of the worker: a step, or the end with the layout, or the damage of the file. */
export type CsvNews = CsvStep | { layout: ReturnType<typeof indexCsv> }

addEventListener('message', ({ data }: MessageEvent<CsvSource>) => {
  const layout = indexCsv(data, (step) => {
    postMessage(step satisfies CsvNews, { transfer: 'rows' in step ? [step.rows.buffer] : [] })
  })
  postMessage({ layout } satisfies CsvNews, {
    transfer: typeof layout === 'string' ? [] : [layout.bytes.buffer],
  })
})
