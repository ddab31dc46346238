import { localStorageColorSchemeManager } from '@mantine/core'

/** The colour scheme a user may choose; `auto` follows the system. */
export type ColorScheme = 'light' | 'dark' | 'auto'

/** Where the browser keeps the scheme, so that the next start paints it at once. */
export const colorSchemeKey = 'ng-darkmode'

/** Keeps the scheme in browser storage under {@link colorSchemeKey}. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: colorSchemeKey })

/** The nonce the server wrote into the page for styles; empty when it wrote none. */
export function styleNonce(): string {
  const content = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
  return content.startsWith('__') ? '' : content
}
