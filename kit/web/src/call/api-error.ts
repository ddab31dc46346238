import type { ErrorShape, ValidationError } from '@headwater/contract'

/** What a call throws when it does not succeed; `status` is 0 when no answer came at all. */
export class ApiError extends Error {
  readonly status: number
  /** Stable name of the error, for programs. */
  readonly code: string
  readonly validationErrors: readonly ValidationError[]
  /** Id of an unexpected error; the same id stands in the server's log. */
  readonly errorId: string | undefined

  constructor(shape: Partial<ErrorShape> & { message: string; status: number }, options?: ErrorOptions) {
    super(shape.message, options)
    this.name = 'ApiError'
    this.status = shape.status
    this.code = shape.code ?? codeBetween(shape.status)
    this.validationErrors = shape.validationErrors ?? []
    this.errorId = shape.errorId
  }

  /** Whether no answer came: the network or the server is gone. */
  get isOffline(): boolean {
    return this.status === 0
  }

  /** Whether the server itself said so; something between it and the browser, such as a proxy or a network that wants a log-in, names no code. */
  get isFromServer(): boolean {
    return !this.isOffline && this.code !== codeBetween(this.status)
  }
}

/** What a call answers; undefined when the thing is not there, or not for this user. */
export async function ifThere<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return undefined
    throw error
  }
}

/** Reads the error body of an answer, whatever shape it has. */
export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '')
  return new ApiError({ ...shapeOf(text, response.status), status: response.status })
}

/** The error in the text of an answer, with a sentence even when the text is no JSON. */
export function shapeOf(text: string, status: number): Partial<ErrorShape> & { message: string } {
  try {
    const body: unknown = JSON.parse(text)
    if (isShape(body)) return body
  } catch {
    // not JSON: something between the browser and the server answered
  }
  return {
    code: codeBetween(status),
    message: `The server answered with status ${status}. Try again in a moment.`,
  }
}

/** Code of an answer that came from something between the browser and the server. */
const codeBetween = (status: number) => `http${status}`

function isShape(body: unknown): body is ErrorShape {
  return typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string'
}

/** A sentence for people about anything that was thrown. */
export function errorMessage(error: unknown): string {
  if (error instanceof Error && error.message) return error.message
  return 'Something unexpected happened. Try again; if it happens again, reload the page.'
}

/** The validation errors of an error by field, for a form; empty for any other error. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  const fields: Record<string, string> = {}
  for (const { field, message } of error.validationErrors)
    fields[field.replace(/^(body|query|params)\./, '')] ??= message
  return fields
}
