import { PALETTES, type Palette } from '@headwater/charts'
import { readStoredText, writeStoredText } from '@headwater/web-kit'

const key = 'ng-palette'

/** Returns the palette of new charts: the last one chosen in this browser, default COLORFUL_2. */
export function storedPalette(): Palette {
  const stored = readStoredText(key)
  return PALETTES.find((palette) => palette === stored) ?? 'COLORFUL_2'
}

/** Stores the palette for new charts. */
export function storePalette(palette: Palette): void {
  writeStoredText(key, palette)
}
