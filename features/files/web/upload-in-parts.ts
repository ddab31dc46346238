import { ApiError, call, uploadBytes } from '@headwater/web-kit'
import {
  completeParts,
  listParts,
  maxParts,
  putPart,
  type ContentReceipt,
  type FileTicket,
  type UploadPart,
} from '../contract/index.ts'

/** Contents of this size and larger are sent in parts, in bytes. */
export const minBytesOfParts = 32 * 1024 * 1024
/** Minimum size of each part except the last, in bytes. */
const minPartBytes = 8 * 1024 * 1024
/** Maximum number of parts that are sent at the same time. */
const parallelParts = 3
/** Maximum number of attempts to send a part; the pauses between them add up to two minutes. */
const attempts = 9
const maxPauseMs = 30_000

/** Fields of an announced file that the upload of its parts needs. */
export type PartsTicket = Pick<FileTicket, 'fileId' | 'permit'>

/** Options of an upload in parts. */
export interface PartsOptions {
  /** Called with the fraction of the bytes that has been sent, 0 to 1. */
  onProgress?: ((fraction: number) => void) | undefined
  /** Aborts the upload. */
  signal?: AbortSignal | undefined
  /** Id of the version that must still be the newest one; `none`: the group must have no file of this name. */
  basedOn?: string | undefined
  /** Whether the server may already have parts from an earlier attempt. Default false. */
  isResumed?: boolean
}

/**
 * Sends content in parts, each with its SHA-256 where the browser can compute it, and returns the receipt. A
 * part is sent again when the connection breaks. A resumed upload sends only the parts that are missing or
 * differ.
 */
export async function uploadInParts(
  { fileId, permit }: PartsTicket,
  bytes: Blob,
  { onProgress, signal, basedOn, isResumed = false }: PartsOptions = {},
): Promise<ContentReceipt> {
  const partBytes = Math.max(minPartBytes, Math.ceil(bytes.size / maxParts))
  const count = Math.ceil(bytes.size / partBytes)
  const params = { fid: fileId }
  // If one part cannot be sent, sending the others is useless.
  const failure = new AbortController()
  const partsSignal = AbortSignal.any([failure.signal, ...(signal === undefined ? [] : [signal])])
  const stored = isResumed ? await storedParts({ fileId, permit }, signal) : new Map<number, UploadPart>()
  const sentBytes = new Map<number, number>()
  const report = (number: number, sent: number) => {
    sentBytes.set(number, sent)
    onProgress?.([...sentBytes.values()].reduce((sum, size) => sum + size, 0) / bytes.size)
  }

  async function sendPart(number: number): Promise<void> {
    const part = bytes.slice((number - 1) * partBytes, number * partBytes)
    const sha256 = await sha256Of(part)
    const known = stored.get(number)
    if (known === undefined || known.size !== part.size || known.sha256 !== sha256) {
      const url = `/file/${fileId}/parts/${number}?token=${encodeURIComponent(permit)}`
      await repeatedly(partsSignal, () =>
        uploadBytes(url, part, {
          onProgress: (fraction) => report(number, fraction * part.size),
          signal: partsSignal,
          ...(sha256 === undefined ? {} : { headers: { 'X-Content-SHA256': sha256 } }),
          method: putPart.method,
        }),
      )
    }
    report(number, part.size)
  }

  let next = 1
  async function sendNext(): Promise<void> {
    while (next <= count && !failure.signal.aborted) await sendPart(next++)
  }
  try {
    await Promise.all(Array.from({ length: Math.min(parallelParts, count) }, sendNext))
  } catch (error) {
    failure.abort()
    throw error
  }
  return repeatedly(signal, () =>
    call(
      completeParts,
      {
        params,
        query: { token: permit, ...(basedOn === undefined ? {} : { basedOn }) },
        body: { parts: count, size: bytes.size },
      },
      { keep: true, signal },
    ),
  )
}

async function storedParts(
  { fileId, permit }: PartsTicket,
  signal: AbortSignal | undefined,
): Promise<Map<number, UploadPart>> {
  const { parts } = await call(listParts, { params: { fid: fileId }, query: { token: permit } }, { signal })
  return new Map(parts.map((part) => [part.number, part]))
}

/** Returns the SHA-256 in lower-case hexadecimal; undefined on pages without HTTPS, where browsers do not offer it. */
async function sha256Of(part: Blob): Promise<string | undefined> {
  if (!globalThis.isSecureContext) return undefined
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await part.arrayBuffer()))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Calls `send` repeatedly, with growing pauses, while the server cannot be reached. */
async function repeatedly<T>(signal: AbortSignal | undefined, send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send()
    } catch (error) {
      if (attempt === attempts || !isUnreachable(error)) throw error
      await pause(Math.min(500 * 2 ** attempt, maxPauseMs), signal)
    }
  }
}

function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && [0, 502, 503, 504].includes(error.status)
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = () => {
      clearTimeout(timer)
      reject(new DOMException('The upload was cancelled.', 'AbortError'))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', cancel)
      resolve()
    }, ms)
    if (signal?.aborted) cancel()
    else signal?.addEventListener('abort', cancel, { once: true })
  })
}
