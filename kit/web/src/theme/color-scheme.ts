import { localStorageColorSchemeManager } from '@mantine/core'

/** The colour scheme that a user chooses; `auto` follows the system. */
export type ColorScheme = 'light' | 'dark' | 'auto'

/** Storage key of the scheme. Pages apply the stored scheme before they render. */
const colorSchemeKey = 'ng-darkmode'

/** Stores the scheme in browser storage under {@link colorSchemeKey}. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: colorSchemeKey })

/** Returns the nonce for styles of the page; empty if there is none. */
export function styleNonce(): string {
  const content = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
  return content.startsWith('__') ? '' : content
}
