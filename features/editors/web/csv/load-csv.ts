import { downloadFile, type File } from '@headwater/files/contract'
import { callRaw } from '@headwater/web-kit'
import type { CsvNews, CsvTask } from './csv.worker.ts'
import type { CsvLayout, CsvSource } from './index-csv.ts'

/**
 * Progress of opening a file: DOWNLOAD of its bytes, PREPARE (start of the worker), UPLOAD of the bytes to the worker, CHECK of
 * encoding and separator, then the parsed part in percent.
 */
export type CsvProgress = 'DOWNLOAD' | 'PREPARE' | 'UPLOAD' | 'CHECK' | number

/** Maximum number of bytes that a preview downloads. */
const previewBytes = 20_000_000
/** Maximum number of rows of a preview. */
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
 * Finds the rows of a CSV file in a worker. The basic editor downloads the file first; the full editor parses each
 * chunk when it arrives.
 * @param isPreview whether to load only the beginning
 * @throws DamagedCsvError for a file that is not a table
 */
export async function loadCsv(
  file: File,
  {
    isPreview,
    isBasic,
    signal,
    onProgress,
  }: {
    isPreview: boolean
    isBasic: boolean
    signal: AbortSignal
    onProgress: (progress: CsvProgress) => void
  },
): Promise<CsvLayout> {
  const size = isPreview ? Math.min(file.size, previewBytes) : file.size
  const source: CsvSource = { size, isWhole: size === file.size }
  if (isPreview) source.maxRows = previewRows
  const chunks = download(file, size, signal)
  if (!isBasic) {
    const onPercent = (progress: CsvProgress) => {
      if (typeof progress === 'number') onProgress(progress)
    }
    return parseBeside(source, chunks, signal, onPercent)
  }
  const bytes = await joined(chunks, size)
  return parseBeside({ ...source, size: bytes.length }, [bytes], signal, onProgress)
}

/** Finds the rows of a CSV text in a worker. */
export async function parseCsvBeside(bytes: Uint8Array<ArrayBuffer>): Promise<CsvLayout> {
  const source = { size: bytes.length, isWhole: true }
  return parseBeside(source, [bytes], new AbortController().signal, () => undefined)
}

/** Downloads the first bytes of a file in chunks as they arrive. The rest is not loaded. */
async function* download(
  file: File,
  size: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const response = await callRaw(downloadFile, { params: { fid: file.fid } }, { signal })
  const reader = response.body!.getReader()
  let at = 0
  try {
    while (at < size) {
      const { value, done } = await reader.read()
      if (done) return
      const chunk = value.slice(0, size - at)
      at += chunk.length
      yield chunk
    }
  } finally {
    await reader.cancel()
  }
}

async function joined(
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  size: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size)
  let at = 0
  for await (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes.subarray(0, at)
}

async function parseBeside(
  source: CsvSource,
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>> | Iterable<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal,
  onProgress: (progress: CsvProgress) => void,
): Promise<CsvLayout> {
  onProgress('PREPARE')
  const worker = new Worker(new URL('./csv.worker.ts', import.meta.url), { type: 'module' })
  const send = (task: CsvTask, transfer: Transferable[] = []) => worker.postMessage(task, { transfer })
  const blocks: Uint32Array[] = []
  let isOver = false
  async function sendChunks(): Promise<void> {
    send({ source })
    for await (const chunk of chunks) {
      if (isOver) return
      send({ chunk }, [chunk.buffer])
    }
    if (!isOver) send({ isEnd: true })
  }
  try {
    return await new Promise<CsvLayout>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      worker.addEventListener('error', () => reject(new Error('There was error during CSV file parsing')))
      worker.addEventListener('message', ({ data }: MessageEvent<CsvNews>) => {
        if ('phase' in data) {
          onProgress(data.phase)
          // The worker is ready for the file.
          if (data.phase === 'UPLOAD') sendChunks().catch(reject)
        } else if ('rows' in data) blocks.push(data.rows)
        else if ('percent' in data) onProgress(data.percent)
        else if (typeof data.layout === 'string') reject(new DamagedCsvError(data.layout === 'binary'))
        else resolve({ ...data.layout, blocks })
      })
    })
  } finally {
    isOver = true
    worker.terminate()
  }
}
