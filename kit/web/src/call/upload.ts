import { ApiError, shapeOf } from './api-error.ts'
import { authorization } from './call.ts'

/** How an upload is made. */
export interface UploadOptions {
  /** Called with the part that is sent, 0 to 1. */
  onProgress?: (fraction: number) => void
  signal?: AbortSignal
  headers?: Record<string, string>
  /** Default PUT. */
  method?: 'PUT' | 'POST'
  /** Sends the token of the session; signed upload URLs want none. */
  authorized?: boolean
}

/** What came back: status, text of the body, and a reader of headers. */
export interface UploadAnswer {
  status: number
  text: string
  header(name: string): string | null
}

/** Sends bytes with progress. Throws an {@link ApiError} when it does not succeed, an AbortError when it is aborted. */
export function uploadBytes(url: string, bytes: Blob, options: UploadOptions = {}): Promise<UploadAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<UploadAnswer>()
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
        message: 'The upload was cut off. Check your connection and try again.',
      }),
    ),
  )
  request.addEventListener('abort', () => reject(new DOMException('The upload was cancelled.', 'AbortError')))
  if (options.signal?.aborted) request.abort()
  options.signal?.addEventListener('abort', () => request.abort(), { once: true })
  request.send(bytes)
  return promise
}
