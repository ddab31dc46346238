import { downloadFile, type File } from '@headwater/files/contract'
import { callRaw } from '@headwater/web-kit'
import type { CsvNews } from './csv.worker.ts'
import type { CsvLayout, CsvSource } from './index-csv.ts'

/**
 * Progress of opening a file: DOWNLOAD of its bytes, PREPARE (start of the worker), UPLOAD of the bytes to the worker, CHECK of
 * encoding and separator, then the parsed part in percent.
 */
export type CsvProgress = 'DOWNLOAD' | 'PREPARE' | 'UPLOAD' | 'CHECK' | number

/** Most bytes that a preview downloads. */
export const previewBytes = 20_000_000
/** Most rows of a preview. */
export const previewRows = 100_000

/** A file that the parser cannot read. */
export class DamagedCsvError extends Error {
  /** Whether the file is binary, so that it cannot be displayed as text either. */
  readonly isBinary: boolean

  constructor(isBinary: boolean) {
    super('CSV file is damaged and can not be parsed')
    this.isBinary = isBinary
  }
}

/**
 * Downloads a CSV file in chunks (the first phase) and finds its rows in a worker.
 * @param isPreview whether only the beginning is loaded
 * @throws DamagedCsvError for a file that is no table
 */
export async function loadCsv(
  file: File,
  {
    isPreview,
    signal,
    onProgress,
  }: {
    isPreview: boolean
    signal: AbortSignal
    onProgress: (progress: CsvProgress) => void
  },
): Promise<CsvLayout> {
  const size = isPreview ? Math.min(file.size, previewBytes) : file.size
  const source: CsvSource = { bytes: await download(file, size, signal), isWhole: size === file.size }
  if (isPreview) source.maxRows = previewRows
  return parseCsvBeside(source, signal, onProgress)
}

async function download(file: File, size: number, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const response = await callRaw(downloadFile, { params: { fid: file.fid } }, { signal })
  const reader = response.body!.getReader()
  const bytes = new Uint8Array(size)
  let at = 0
  while (at < size) {
    const { value, done } = await reader.read()
    if (done) break
    const chunk = value.subarray(0, size - at)
    bytes.set(chunk, at)
    at += chunk.length
  }
  // The rest of a preview is not loaded.
  await reader.cancel()
  return bytes.subarray(0, at)
}

/** Finds the rows of a CSV file in a worker. */
export async function parseCsvBeside(
  source: CsvSource,
  signal: AbortSignal,
  onProgress: (progress: CsvProgress) => void,
): Promise<CsvLayout> {
  onProgress('PREPARE')
  const worker = new Worker(new URL('./csv.worker.ts', import.meta.url), { type: 'module' })
  const blocks: Uint32Array[] = []
  try {
    return await new Promise<CsvLayout>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      worker.addEventListener('error', () => reject(new Error('There was error during CSV file parsing')))
      worker.addEventListener('message', ({ data }: MessageEvent<CsvNews>) => {
        if ('phase' in data) {
          onProgress(data.phase)
          // The worker is ready for the file.
          if (data.phase === 'UPLOAD') worker.postMessage(source, { transfer: [source.bytes.buffer] })
        } else if ('rows' in data) blocks.push(data.rows)
        else if ('percent' in data) onProgress(data.percent)
        else if (typeof data.layout === 'string') reject(new DamagedCsvError(data.layout === 'binary'))
        else resolve({ ...data.layout, blocks })
      })
    })
  } finally {
    worker.terminate()
  }
}
