import { beginningOf } from './text.ts'
import { z } from 'zod'
import { formatNumber } from './number.ts'
import type { AccessMode } from './route.ts'

/** A validation error of one input field. */
export const validationError = z.object({
  field: z.string().describe('Path of the field, for example `name` or `fields[0].name`.'),
  message: z.string().describe('What is wrong with the field, as text for users.'),
})
/** Type of a validation error of one input field. */
export type ValidationError = z.infer<typeof validationError>

/** The body of every error response. */
export const errorShape = z.object({
  timestamp: z.string().describe('Time of the error: ISO date-time in UTC, without a zone.'),
  status: z.int().describe('The HTTP status.'),
  code: z.string().describe('Stable name of the error, for programs.'),
  message: z.string().describe('What happened, what is allowed and what to do, as text for users.'),
  validationErrors: z
    .array(validationError)
    .optional()
    .describe('For forms: one entry for each invalid field.'),
  retryAfterSeconds: z
    .int()
    .optional()
    .describe('After too many attempts: number of seconds after which the client can repeat the request.'),
  errorId: z.string().optional().describe('Id of an unexpected error. The log contains the same id.'),
})
/** Type of the body of an error response. */
export type ErrorShape = z.infer<typeof errorShape>

/** An error whose message the caller receives. Any other exception becomes `unexpected` with an id. */
export class AppError extends Error {
  /** Stable name of the error, for programs. */
  readonly code: string
  /** HTTP status, 4xx or 5xx. */
  readonly status: number
  /** One entry for each invalid field; undefined for errors that are not about fields. */
  readonly validationErrors: ValidationError[] | undefined
  /** Number of seconds after which the client can repeat the request; undefined if waiting does not help. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: string,
    status: number,
    message: string,
    validationErrors?: ValidationError[],
    retryAfterSeconds?: number,
  ) {
    super(message)
    this.name = 'AppError'
    this.code = code
    this.status = status
    this.validationErrors = validationErrors
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Definition of an error in a catalogue. */
export interface ErrorDefinition<Details> {
  /** HTTP status, 4xx or 5xx. */
  status: number
  /** Builds the message from the details of the error. */
  message: (details: Details) => string
  /** Field of a form. If set, the response also contains a validation error of this field. */
  field?: string
  /** Returns the number of seconds after which the client can repeat the request. */
  retryAfterSeconds?: (details: Details) => number
}

/** Creates a function for each definition that creates the error: `throw groupErrors.groupNotFound({ name })`. */
export function defineErrors<const T extends Record<string, ErrorDefinition<never>>>(
  table: T,
): { [Code in keyof T]: (...details: DetailsOf<T[Code]>) => AppError } {
  const factories: Record<string, (details: never) => AppError> = {}
  for (const [code, definition] of Object.entries(table)) {
    factories[code] = (details) => {
      const message = definition.message(details)
      const fields = definition.field === undefined ? undefined : [{ field: definition.field, message }]
      return new AppError(code, definition.status, message, fields, definition.retryAfterSeconds?.(details))
    }
  }
  return factories as never
}

type DetailsOf<T> = T extends { message: (...details: infer D) => string } ? D : []

/** The permission that a request needs. */
interface Access {
  resource: string
  mode: AccessMode
}

const accessNames: Record<AccessMode, string> = { R: 'read', RW: 'write', RWS: 'write and share' }

/** Errors that every route can return. */
export const commonErrors = defineErrors({
  signInNeeded: {
    status: 401,
    message: () => 'User not authorized. Log in, or send a valid token, API key or password.',
  },
  forbidden: {
    status: 403,
    message: (refused: { what: string } | Access) =>
      'what' in refused
        ? `You are not allowed to ${refused.what}. Ask an administrator for permission.`
        : `You need ${accessNames[refused.mode]} access to ${refused.resource}. Ask an administrator for access.`,
  },
  notAllowedInRuns: {
    status: 403,
    message: () =>
      'Code of a run is not allowed to call this route. The API reference lists the routes that it can call.',
  },
  notAllowedInTestRuns: {
    status: 403,
    message: () => 'A test run reads data but changes none. Run the task to change data.',
  },
  routeNotFound: {
    status: 404,
    message: ({ path }: { path: string }) => `No route matches ${path}. Check the URL.`,
  },
  methodNotAllowed: {
    status: 405,
    message: ({ method, path, allowed }: { method: string; path: string; allowed: string }) =>
      `${path} does not support ${method}. Use ${allowed}.`,
  },
  bodyTooLarge: {
    status: 413,
    message: ({ limitBytes }: { limitBytes: number }) =>
      `The request is larger than the limit of ${formatNumber(limitBytes)} bytes. Upload large content as a file.`,
  },
  databaseAway: {
    status: 503,
    message: () => 'The database is restarting. Try again in a few seconds.',
  },
  databaseFull: {
    status: 507,
    message: () =>
      'The disk of the server is full. Nothing was changed. Ask an administrator to free space, then try again.',
  },
})

/** Shortens text from the caller for use in a message. */
export function cutText(text: string, length = 100): string {
  return text.length > length ? `${beginningOf(text, length)}…` : text
}

/** Returns the error for input that does not match the contract. `message` summarizes; `validationErrors` lists each field. */
export function invalidInput(validationErrors: ValidationError[]): AppError {
  const list = validationErrors.map((e) => (e.field ? `${e.field}: ${e.message}` : e.message)).join('; ')
  return new AppError('invalidInput', 400, `The request is not valid: ${list}`, validationErrors)
}
