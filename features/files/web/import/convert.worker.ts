import type { CsvMapping } from '@headwater/csv'
import { convertStream, type Conversion } from './convert-stream.ts'

/** Request to the worker. */
export interface ConversionRequest {
  source: File
  mapping: CsvMapping
}

/** Messages of the worker: it is ready, its progress, the result, or an error. */
export type ConversionNews =
  { isReady: true } | { fraction: number } | { conversion: Conversion } | { failure: string }

addEventListener('message', ({ data }: MessageEvent<ConversionRequest>) => {
  void convertStream(data.source, data.mapping, (fraction) =>
    postMessage({ fraction } satisfies ConversionNews),
  ).then(
    (conversion) => postMessage({ conversion } satisfies ConversionNews),
    // For example a file that changed after it was chosen.
    (error: unknown) => postMessage({ failure: String(error) } satisfies ConversionNews),
  )
})
postMessage({ isReady: true } satisfies ConversionNews)
