import { useSyncExternalStore } from 'react'
import { isFramed, useCan } from '@headwater/accounts/web'
import { links } from '@headwater/web-kit'

/** Below this width, in CSS pixels, the product shows its mobile layout. */
export const mobileBelowPx = 768

type Can = ReturnType<typeof useCan>

const query = `(width < ${mobileBelowPx}px)`

function subscribe(listener: () => void): () => void {
  const list = window.matchMedia(query)
  list.addEventListener('change', listener)
  return () => list.removeEventListener('change', listener)
}

/** Whether the mobile layout is shown: on a narrow window, not in a frame, and only for users who may see one of its pages. */
export function useMobileMode(): boolean {
  const narrow = useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
  const can = useCan()
  return narrow && !isFramed() && mobileHome(can) !== undefined
}

/** The first page of the mobile layout that a user may see; undefined switches the layout off. */
export function mobileHome(can: Can): string | undefined {
  if (can('Statuses')) return links.statuses()
  if (can('Lake')) return mobileLake
  return undefined
}

/** The lake as the mobile layout opens it: with a query and the Groups hash. */
export const mobileLake = links.lake('groups', { query: '' })
