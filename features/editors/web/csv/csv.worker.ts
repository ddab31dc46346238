import { CsvIndexer, type CsvSource, type CsvStep } from './index-csv.ts'

/** Messages to the worker: the size of a file, then its chunks, then the end. */
export type CsvTask = { source: CsvSource } | { chunk: Uint8Array<ArrayBuffer> } | { isEnd: true }

/** Messages of the worker: the next phase, a step, or the end with the layout or the damage of the file. */
export type CsvNews = { phase: 'UPLOAD' | 'CHECK' } | CsvStep | { layout: ReturnType<CsvIndexer['end']> }

let indexer: CsvIndexer | undefined

addEventListener('message', ({ data }: MessageEvent<CsvTask>) => {
  if ('source' in data) {
    indexer = new CsvIndexer(data.source, (step) => {
      postMessage(step satisfies CsvNews, { transfer: 'rows' in step ? [step.rows.buffer] : [] })
    })
    postMessage({ phase: 'CHECK' } satisfies CsvNews)
    return
  }
  if (indexer === undefined) return
  if ('chunk' in data) indexer.add(data.chunk)
  // Does not wait for further chunks of a binary file or beyond the row limit.
  if (!('isEnd' in data) && !indexer.isOver) return
  const layout = indexer.end()
  indexer = undefined
  postMessage({ layout } satisfies CsvNews, {
    transfer: typeof layout === 'string' ? [] : [layout.bytes.buffer],
  })
})
postMessage({ phase: 'UPLOAD' } satisfies CsvNews)
