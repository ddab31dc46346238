import { PALETTES, type Palette } from '@headwater/charts'
import { readStoredText, writeStoredText } from '@headwater/web-kit'

const key = 'ng-palette'

/** The palette that new charts begin with: the one that was last chosen in this browser, at first COLORFUL_2. */
export function storedPalette(): Palette {
  const stored = readStoredText(key)
  return PALETTES.find((palette) => palette === stored) ?? 'COLORFUL_2'
}

/** Keeps the palette that was chosen for a chart. */
export function storePalette(palette: Palette): void {
  writeStoredText(key, palette)
}
