import { links } from '@headwater/web-kit'
import { useCan } from './use-session.ts'

/** Below this width, in CSS pixels, the product shows its mobile layout. */
const mobileBelowPx = 768

type Can = ReturnType<typeof useCan>

/** Media query of narrow windows. */
export const narrowWindow = `(width < ${mobileBelowPx}px)`

let isNarrow: boolean | undefined

/**
 * Returns whether the window was narrow at the first call, when the product is opened. A window that becomes narrow later
 * must keep its page.
 */
export function startedNarrow(): boolean {
  return (isNarrow ??= window.matchMedia(narrowWindow).matches)
}

/** Returns whether the mobile layout is used: in a narrow window, for users with access to one of its pages, never in a frame. */
export function useMobileMode(): boolean {
  const can = useCan()
  return startedNarrow() && mobileHome(can) !== undefined
}

/** Returns whether the pages of symbols and charts can be linked: the user has access, and the layout has these pages. */
export function useStoragePages(): boolean {
  const can = useCan()
  return !useMobileMode() && can('Storage')
}

/** Returns the first page of the mobile layout that is visible to a user; undefined disables the layout. */
export function mobileHome(can: Can): string | undefined {
  if (can('Statuses')) return links.statuses()
  if (can('Lake')) return mobileLake
  return undefined
}

/** Link to the lake in the mobile layout: with a query and the Groups hash. */
export const mobileLake = links.lake('groups', { query: '' })
