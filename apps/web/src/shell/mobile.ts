import { useCan } from '@headwater/accounts/web'
import { links } from '@headwater/web-kit'

/** Below this width, in CSS pixels, the product shows its mobile layout. */
export const mobileBelowPx = 768

type Can = ReturnType<typeof useCan>

const query = `(width < ${mobileBelowPx}px)`

/** Whether the window was opened narrow. Decided once: one that is drawn narrow in the middle of work must not lose the page it shows. */
export const startedNarrow = window.matchMedia(query).matches

/** Returns whether the mobile layout is used: in a narrow window, for users with access to one of its pages, never in a frame. */
export function useMobileMode(): boolean {
  const can = useCan()
  return startedNarrow && mobileHome(can) !== undefined
}

/** The first page of the mobile layout that a user may see; undefined switches the layout off. */
export function mobileHome(can: Can): string | undefined {
  if (can('Statuses')) return links.statuses()
  if (can('Lake')) return mobileLake
  return undefined
}

/** The lake as the mobile layout opens it: with a query and the Groups hash. */
export const mobileLake = links.lake('groups', { query: '' })
