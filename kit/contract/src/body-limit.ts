import type { Route } from './route.ts'

const kibibyte = 1024

/** Maximum body size of a public route, in bytes. It is low because anyone can call such a route. */
export const publicBodyBytes = 64 * kibibyte
/** Default maximum body size of a route that requires a sign-in, in bytes. */
export const standardBodyBytes = 1024 * kibibyte
/**
 * Maximum limit that a route can declare, in bytes. Definitions and queries need such large bodies. `bench/bodies.ts`
 * measures how fast the server parses them.
 */
export const largeBodyBytes = 8 * 1024 * kibibyte

/**
 * Returns the maximum size of a JSON or text body of a route, in bytes. Throws when the route declares more than its
 * access level allows.
 */
export function bodyBytesOf({ name, permission, bodyBytes }: Route): number {
  const [standard, most] =
    permission === 'public' ? [publicBodyBytes, publicBodyBytes] : [standardBodyBytes, largeBodyBytes]
  const limit = bodyBytes ?? standard
  if (limit > most)
    throw new Error(`The route ${name} declares bodies of ${limit} bytes; at most ${most} are allowed.`)
  return limit
}
