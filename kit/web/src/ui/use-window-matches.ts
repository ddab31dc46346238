import { useSyncExternalStore } from 'react'

/** Returns whether the window matches a media query, and renders again when this changes. */
export function useWindowMatches(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    () => window.matchMedia(query).matches,
  )
}
