import type { CsvMapping } from '@headwater/csv'
import type { Conversion } from './convert-stream.ts'
import type { ConversionNews, ConversionRequest } from './convert.worker.ts'

/**
 * Converts a CSV file to NCSV in a worker.
 * @throws AbortError when `signal` aborts; Error if the file cannot be read
 */
export async function convertFile(
  source: File,
  mapping: CsvMapping,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (fraction: number) => void },
): Promise<Conversion> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./convert.worker.ts', import.meta.url), { type: 'module' })
  try {
    return await new Promise<Conversion>((resolve, reject) => {
      const fail = () =>
        reject(
          new Error(`“${source.name}” could not be read. It may have changed or moved; choose it again.`),
        )
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      worker.addEventListener('error', fail)
      worker.addEventListener('message', ({ data }: MessageEvent<ConversionNews>) => {
        if ('isReady' in data) worker.postMessage({ source, mapping } satisfies ConversionRequest)
        else if ('fraction' in data) onProgress(data.fraction)
        else if ('conversion' in data) resolve(data.conversion)
        else fail()
      })
    })
  } finally {
    worker.terminate()
  }
}
