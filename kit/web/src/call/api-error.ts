import type { ErrorShape, ValidationError } from '@headwater/contract'

/** Returns whether an error means that the page or the user cancelled the call. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

/** Error of a failed call; `status` is 0 when no response arrived. */
export class ApiError extends Error {
  readonly status: number
  /** Stable name of the error, for programs. */
  readonly code: string
  readonly validationErrors: readonly ValidationError[]
  /** Number of seconds after which the call can be repeated; undefined if waiting does not help. */
  readonly retryAfterSeconds: number | undefined
  /** Id of an unexpected error. The server log contains the same id. */
  readonly errorId: string | undefined

  constructor(shape: Partial<ErrorShape> & { message: string; status: number }, options?: ErrorOptions) {
    super(shape.message, options)
    this.name = 'ApiError'
    this.status = shape.status
    this.code = shape.code ?? codeBetween(shape.status)
    this.validationErrors = shape.validationErrors ?? []
    this.retryAfterSeconds = shape.retryAfterSeconds
    this.errorId = shape.errorId
  }

  /** Whether no response arrived: the network or the server is unavailable. */
  get isOffline(): boolean {
    return this.status === 0
  }

  /**
   * Whether the error came from the server. Responses of intermediaries, such as a proxy or a captive portal, have no
   * code.
   */
  get isFromServer(): boolean {
    return !this.isOffline && this.code !== codeBetween(this.status)
  }
}

/** Returns the result of a call; undefined if the object does not exist or the user has no access to it. */
export async function ifThere<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return undefined
    throw error
  }
}

/** Reads the error from the body of a response. The body can have any content. */
export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '')
  return new ApiError({ ...shapeOf(text, response.status), status: response.status })
}

/** Parses the error in the text of a response; text that is not JSON gets a general message. */
export function shapeOf(text: string, status: number): Partial<ErrorShape> & { message: string } {
  try {
    const body: unknown = JSON.parse(text)
    if (isShape(body)) return body
  } catch {
    // not JSON: an intermediary between the browser and the server sent the response
  }
  return {
    code: codeBetween(status),
    message: `The server responded with status ${status}. Try again in a moment.`,
  }
}

/** Returns the code for a response from an intermediary between the browser and the server. */
const codeBetween = (status: number) => `http${status}`

function isShape(body: unknown): body is ErrorShape {
  return typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string'
}

/** Returns a user-readable message for any exception. */
export function errorMessage(error: unknown): string {
  if (error instanceof Error && error.message) return error.message
  return 'An unexpected error occurred. Try again, or reload the page.'
}

/** Returns the validation errors of an error by field, for a form; empty for any other error. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  const fields: Record<string, string> = {}
  for (const { field, message } of error.validationErrors)
    fields[field.replace(/^(body|query|params)\./, '')] ??= message
  return fields
}
