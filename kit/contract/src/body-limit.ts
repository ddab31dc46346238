import type { Route } from './route.ts'

const kibibyte = 1024

/** Largest body of a public route, in bytes: anyone can send one. */
export const publicBodyBytes = 64 * kibibyte
/** Largest body of a route that needs a sign-in and declares no limit, in bytes. */
export const standardBodyBytes = 1024 * kibibyte
/** Largest body that a route can declare, in bytes: for definitions and queries. `bench/bodies.ts` measures how fast it is read. */
export const largeBodyBytes = 8 * 1024 * kibibyte

/** Largest JSON or text body of a route, in bytes. Throws when the route declares more than its permission allows. */
export function bodyBytesOf({ name, permission, bodyBytes }: Route): number {
  const [standard, most] =
    permission === 'public' ? [publicBodyBytes, publicBodyBytes] : [standardBodyBytes, largeBodyBytes]
  const limit = bodyBytes ?? standard
  if (limit > most)
    throw new Error(`The route ${name} declares bodies of ${limit} bytes; at most ${most} are allowed.`)
  return limit
}
