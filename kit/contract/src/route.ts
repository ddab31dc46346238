import type { z } from 'zod'
import { configureValidationMessages } from './validation-messages.ts'

configureValidationMessages()

/** The level of an entitlement: read, read and write, or read, write and share. Each level includes the previous ones. */
export type AccessMode = 'R' | 'RW' | 'RWS'

/**
 * Access to a route. `public`: no credentials needed. `signed-in`: every user. Otherwise the roles of the caller must have
 * the entitlement `resource` at the level `mode` or higher. The service checks access to the object, such as the group or
 * file.
 */
export type Permission = 'public' | 'signed-in' | { resource: string; mode: AccessMode }

/** Format of the request body: parsed JSON (default), plain text, or a stream of bytes that the handler reads. */
export type BodyKind = 'json' | 'text' | 'stream'

/** An HTTP route. The definition types the handler, validates the input, types the client and generates the reference. */
export interface Route<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> {
  /** Unique name in camel case, for example `listGroups`; also the operation id and the first part of the query key. */
  name: string
  /** HTTP method. */
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path with `:name` parameters, for example `/file/group/:name`. */
  path: string
  /** One sentence for the API reference. */
  summary: string
  /** Access to the route, checked before validation. */
  permission: Permission
  /**
   * Whether the code of a run can call the route, with the access of the user who started the run. Default false. Do not set
   * it for routes that start runs, or that change lasting objects such as accounts, shares and schedules.
   */
  allowsRunTokens?: boolean
  /**
   * Whether the code of a test run can call the route although the route changes data. If so, the handler changes the test
   * run instead. Default false.
   */
  allowsTestRuns?: boolean
  /**
   * Whether requests are recorded in the audit log. Default: all methods except GET. Set it to false for routes that only
   * read with another method.
   */
  isAudited?: boolean
  /** Schema of the path parameters; absent if the path has none. */
  params?: Params
  /** Schema of the query string; absent if the route has none. */
  query?: Query
  /** Schema of the request body; absent if the route has none. */
  body?: Body
  /** Kind of the request body. Default `json`. */
  bodyKind?: BodyKind
  /**
   * Maximum size of a JSON or text body in bytes. Public routes: default and maximum 64 KiB. Other routes: default 1 MiB,
   * maximum 8 MiB. Streams have no such limit.
   */
  bodyBytes?: number
  /**
   * Whether a JSON body may have members called `__proto__`, for bodies whose keys are names from users. The schema of the body
   * must validate them. Default false: the server rejects such a body.
   */
  allowsProtoNames?: boolean
  /** Schema of the JSON response; absent for a stream or an empty response. */
  output?: Output
  /** HTTP status of a successful response, default 200. */
  successStatus?: number
  /**
   * Codes of the errors that this route returns, in addition to the errors of every route (validation, signIn, forbidden).
   */
  errors?: readonly string[]
}

type Infer<T> = T extends z.ZodType ? z.output<T> : undefined
type Given<T> = T extends z.ZodType ? z.input<T> : undefined

/** Validated input of a handler. */
export interface RouteInput<R extends Route> {
  /** Parameters of the path. */
  params: Infer<R['params']>
  /** Parameters of the query string. */
  query: Infer<R['query']>
  /** The request body. */
  body: Infer<R['body']>
}

type OptionalIfUndefined<Key extends string, T> = [T] extends [undefined]
  ? { [K in Key]?: undefined }
  : Record<string, never> extends T
    ? { [K in Key]?: T }
    : { [K in Key]: T }

/** Input that a client sends, before validation. `params`, `query` and `body` are absent if the route does not have them. */
export type RouteCall<R extends Route> = OptionalIfUndefined<'params', Given<R['params']>> &
  OptionalIfUndefined<'query', Given<R['query']>> &
  OptionalIfUndefined<'body', Given<R['body']>>

/** Output of a route. */
export type RouteOutput<R extends Route> = R['output'] extends z.ZodType ? z.output<R['output']> : undefined

/** Declares a route. Returns the object unchanged; the function exists for its types. */
export function defineRoute<
  const R extends Omit<Route, 'params' | 'query' | 'body' | 'output'> & {
    params?: z.ZodType
    query?: z.ZodType
    body?: z.ZodType
    output?: z.ZodType
  },
>(route: R): R {
  return route
}

/** Inserts parameters into a path: `pathOf('/file/group/:name', {name: 'a b'})` is `/file/group/a%20b`. */
export function pathOf(path: string, params: Record<string, unknown> = {}): string {
  return path.replace(/:([A-Za-z]+)/g, (_, key: string) => encodeURIComponent(String(params[key])))
}
