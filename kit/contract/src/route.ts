import type { z } from 'zod'
import './validation-messages.ts'

/** The level of an entitlement: read, read and write, or read, write and share. Each level includes the ones before it. */
export type AccessMode = 'R' | 'RW' | 'RWS'

/**
 * Who may call a route. `public`: anybody, without credentials. `signed-in`: every user. Otherwise the caller's roles
 * must hold the named entitlement at least at `mode`. The check of the object (which group, which file) is the service's.
 */
export type Permission = 'public' | 'signed-in' | { resource: string; mode: AccessMode }

/** How the request body travels: parsed JSON (default), plain text, or a byte stream that the handler consumes. */
export type BodyKind = 'json' | 'text' | 'stream'

/** One HTTP route: the single definition that types the handler, validates the input, types the client and writes the reference. */
export interface Route<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> {
  /** Unique name in camel case, for example `listGroups`; also the operation id and the first part of the query key. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path with `:name` parameters, for example `/file/group/:name`. */
  path: string
  /** One sentence for the reference. */
  summary: string
  permission: Permission
  params?: Params
  query?: Query
  body?: Body
  /** Default `json`. */
  bodyKind?: BodyKind
  /**
   * Largest JSON or text body in bytes. Default and maximum 64 KiB on public routes; default 1 MiB, maximum 8 MiB on the others.
   * Streams have no such limit.
   */
  bodyBytes?: number
  /**
   * Whether a JSON body may have members called `__proto__`, as where names of users are keys. The schema of the body must not
   * hand them on unseen. Default false: such a body is refused.
   */
  allowsProtoNames?: boolean
  /** Schema of the JSON answer; absent when the answer is a stream or has no body. */
  output?: Output
  /** HTTP status of success, default 200. */
  successStatus?: number
  /** Codes of the errors this route answers with, besides those every route may give (validation, signIn, forbidden). */
  errors?: readonly string[]
}

type Infer<T> = T extends z.ZodType ? z.output<T> : undefined
type Given<T> = T extends z.ZodType ? z.input<T> : undefined

/** What the handler of a route receives, after validation. */
export interface RouteInput<R extends Route> {
  params: Infer<R['params']>
  query: Infer<R['query']>
  body: Infer<R['body']>
}

type OptionalIfUndefined<Key extends string, T> = [T] extends [undefined]
  ? { [K in Key]?: undefined }
  : Record<string, never> extends T
    ? { [K in Key]?: T }
    : { [K in Key]: T }

/** What a client hands to a route, before validation; parts the route does not have are left out. */
export type RouteCall<R extends Route> = OptionalIfUndefined<'params', Given<R['params']>> &
  OptionalIfUndefined<'query', Given<R['query']>> &
  OptionalIfUndefined<'body', Given<R['body']>>

/** What a route answers with. */
export type RouteOutput<R extends Route> = R['output'] extends z.ZodType ? z.output<R['output']> : undefined

/** Declares a route. The object is returned as given; the function exists for its types. */
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

/** Fills the parameters of a path: `pathOf('/file/group/:name', {name: 'a b'})` is `/file/group/a%20b`. */
export function pathOf(path: string, params: Record<string, unknown> = {}): string {
  return path.replace(/:([A-Za-z]+)/g, (_, key: string) => encodeURIComponent(String(params[key])))
}
