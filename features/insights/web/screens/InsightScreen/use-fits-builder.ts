import { useSyncExternalStore } from 'react'

/** Below this width, in CSS pixels, the tiles and the panel of the builder do not fit beside each other. */
export const buildsFromPx = 1024

const wide = window.matchMedia(`(width >= ${buildsFromPx}px)`)

/** Returns whether the window is wide enough to start the builder; it changes with the width of the window. */
export function useFitsBuilder(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      wide.addEventListener('change', onChange)
      return () => wide.removeEventListener('change', onChange)
    },
    () => wide.matches,
  )
}
