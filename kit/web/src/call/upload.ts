import { ApiError, shapeOf } from './api-error.ts'
import { authorization } from './call.ts'

/** Options of an upload. */
export interface UploadOptions {
  /** Called with the fraction of bytes sent, from 0 to 1. */
  onProgress?: (fraction: number) => void
  /** Aborts the upload. */
  signal?: AbortSignal
  /** Additional headers. */
  headers?: Record<string, string>
  /** HTTP method, default PUT. */
  method?: 'PUT' | 'POST'
  /** Whether to send the token of the session. Signed upload URLs do not need it. */
  authorized?: boolean
}

/** Response to an upload. */
export interface UploadResponse {
  /** HTTP status. */
  status: number
  /** Text of the body. */
  text: string
  /** Returns the value of a header; null without one. */
  header(name: string): string | null
}

/** Sends bytes with progress. Throws an {@link ApiError} on failure, an AbortError when aborted. */
export function uploadBytes(url: string, bytes: Blob, options: UploadOptions = {}): Promise<UploadResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<UploadResponse>()
  const cancel = () => reject(new DOMException('The upload was cancelled.', 'AbortError'))
  if (options.signal?.aborted) {
    cancel()
    return promise
  }
  const request = new XMLHttpRequest()
  request.open(options.method ?? 'PUT', url)
  request.setRequestHeader('Content-Type', 'application/octet-stream')
  for (const [name, value] of Object.entries(options.headers ?? {})) request.setRequestHeader(name, value)
  const token = options.authorized ? authorization() : undefined
  if (token !== undefined) request.setRequestHeader('Authorization', token)
  request.upload.addEventListener('progress', (event) => {
    if (event.lengthComputable && event.total > 0) options.onProgress?.(event.loaded / event.total)
  })
  request.addEventListener('load', () => {
    if (request.status >= 200 && request.status < 300) {
      resolve({
        status: request.status,
        text: request.responseText,
        header: (name) => request.getResponseHeader(name),
      })
    } else {
      reject(new ApiError({ ...shapeOf(request.responseText, request.status), status: request.status }))
    }
  })
  request.addEventListener('error', () =>
    reject(
      new ApiError({
        status: 0,
        code: 'noAnswer',
        message: 'The upload was interrupted. Check your connection and try again.',
      }),
    ),
  )
  request.addEventListener('abort', cancel)
  options.signal?.addEventListener('abort', () => request.abort(), { once: true })
  request.send(bytes)
  return promise
}
