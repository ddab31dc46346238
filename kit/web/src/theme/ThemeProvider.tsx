import { type ReactNode, useEffect } from 'react'
import { MantineProvider, createTheme, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { type ColorScheme, colorSchemeManager, styleNonce } from './color-scheme.ts'

const theme = createTheme({ respectReducedMotion: true, focusRing: 'auto' })

/**
 * The theme of every screen. Colours and sizes come from `tokens.css` through `mantine.css`. Mantine injects no styles
 * except for a few components, which use the nonce of the page.
 */
export function ThemeProvider({ children, scheme }: { children: ReactNode; scheme?: ColorScheme }) {
  return (
    <MantineProvider
      theme={theme}
      withCssVariables={false}
      withGlobalClasses={false}
      getStyleNonce={styleNonce}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      {scheme === undefined ? null : <SchemeSetter scheme={scheme} />}
      {children}
    </MantineProvider>
  )
}

function SchemeSetter({ scheme }: { scheme: ColorScheme }) {
  const { setColorScheme } = useMantineColorScheme()
  useEffect(() => setColorScheme(scheme), [scheme, setColorScheme])
  return null
}

/** Returns the scheme of the page, and renders again when it changes. */
export function useColorScheme(): 'light' | 'dark' {
  return useComputedColorScheme('light')
}
