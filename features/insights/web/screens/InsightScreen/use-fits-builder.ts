import { useWindowMatches } from '@headwater/web-kit'

/** Below this width, in CSS pixels, the tiles and the panel of the builder do not fit beside each other. */
export const buildsFromPx = 1024

/** Returns whether the window is wide enough to start the builder, and observes its width. */
export function useFitsBuilder(): boolean {
  return useWindowMatches(`(width >= ${buildsFromPx}px)`)
}
