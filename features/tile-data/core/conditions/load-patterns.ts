import type { Patterns } from './patterns.ts'

let loaded: Promise<Patterns> | undefined

/**
 * Loads the matcher for patterns once. The browser fetches its code only when a pattern is used.
 * @throws Error when the code cannot be fetched; the next call fetches it again
 */
export function loadPatterns(): Promise<Patterns> {
  loaded ??= import('./re2-patterns.ts').then(
    ({ createPatterns }) => createPatterns(),
    (error: unknown) => {
      loaded = undefined
      throw error
    },
  )
  return loaded
}
