import { contrast, type Rgb } from '@headwater/charts/values'

/** A colour in light and dark mode. */
export interface SchemeColour {
  /** Colour in light mode. */
  light: Rgb
  /** Colour in dark mode. */
  dark: Rgb
}

/** Colours of the theme by the names of their tokens; undefined for a name that the theme does not have. */
export type ThemeColours = (token: string) => SchemeColour | undefined

/** Minimum contrast of text (WCAG 2.2, level AA). */
export const leastContrast = 4.5

/** Fraction of a theme colour in a tint: the maximum that the text contrast allows in both modes. */
const tintShare = 0.35

/**
 * Returns the drawn colour of a stored background: a token as a tint, a custom colour unchanged.
 * @param share share of the token, default that of a tint
 */
export function backgroundOf(
  colour: string,
  theme: ThemeColours,
  share = tintShare,
): SchemeColour | undefined {
  const surface = theme('--surface')
  if (surface === undefined) return undefined
  if (colour.startsWith('--')) {
    const token = theme(colour)
    return token && inBoth((scheme) => mixed(surface[scheme], token[scheme], share))
  }
  const { rgb, alpha } = readHex(colour)
  return inBoth((scheme) => mixed(surface[scheme], rgb, alpha))
}

/** Resolves a stored colour. */
export function plainColour(colour: string, theme: ThemeColours): SchemeColour | undefined {
  if (colour.startsWith('--')) return theme(colour)
  const { rgb } = readHex(colour)
  return { light: rgb, dark: rgb }
}

/** Mixes two colours; `share`: fraction of the second colour, 0 to 1. */
export function between(from: SchemeColour, to: SchemeColour, share: number): SchemeColour {
  return inBoth((scheme) => mixed(from[scheme], to[scheme], share))
}

/** Returns a text colour with enough contrast to all backgrounds, as close as possible to the given colour. */
export function readableOn(
  text: SchemeColour,
  backgrounds: readonly SchemeColour[],
  theme: ThemeColours,
): SchemeColour {
  const neutral = theme('--text') ?? text
  return inBoth((scheme) => {
    const behind = backgrounds.map((background) => background[scheme])
    const contrastOf = (rgb: Rgb) => Math.min(...behind.map((each) => contrast(rgb, each)))
    for (let step = 0; step <= 10; step++) {
      const rgb = mixed(text[scheme], neutral[scheme], step / 10)
      if (contrastOf(rgb) >= leastContrast) return rgb
    }
    // Black or white has a contrast of at least 4.58:1 to any colour.
    return contrastOf(black) > contrastOf(white) ? black : white
  })
}

/** Formats a colour as CSS. */
export function cssOf({ light, dark }: SchemeColour): string {
  const [bright, dim] = [hexOf(light), hexOf(dark)]
  return bright === dim ? bright : `light-dark(${bright}, ${dim})`
}

/** Parses the value of a token: one or two colours such as `#rrggbb` or `#rgb`; undefined for other text. */
export function readToken(css: string): SchemeColour | undefined {
  const [light, dark = light] = css.match(/#[0-9a-f]{3,8}\b/gi) ?? []
  return light === undefined ? undefined : { light: readHex(light).rgb, dark: readHex(dark!).rgb }
}

const known = new Map<string, SchemeColour | undefined>()

/** Returns a theme colour of this page; undefined outside of a browser. */
export function pageTheme(token: string): SchemeColour | undefined {
  if (typeof document === 'undefined') return undefined
  const colour =
    known.get(token) ?? readToken(getComputedStyle(document.documentElement).getPropertyValue(token))
  known.set(token, colour)
  return colour
}

const black: Rgb = [0, 0, 0]
const white: Rgb = [255, 255, 255]

function inBoth(of: (scheme: 'light' | 'dark') => Rgb): SchemeColour {
  return { light: of('light'), dark: of('dark') }
}

/** Rounds, so that the contrast is measured for the displayed colour. */
function mixed(from: Rgb, to: Rgb, share: number): Rgb {
  const part = (at: 0 | 1 | 2) => Math.round(from[at] + (to[at] - from[at]) * share)
  return [part(0), part(1), part(2)]
}

/** `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`. */
function readHex(colour: string): { rgb: Rgb; alpha: number } {
  const short = colour.length < 6
  const parts = colour.slice(1).match(short ? /./g : /../g) ?? []
  const [red = 0, green = 0, blue = 0, alpha = 255] = parts.map((part) =>
    Number.parseInt(short ? part + part : part, 16),
  )
  return { rgb: [red, green, blue], alpha: alpha / 255 }
}

function hexOf(rgb: Rgb): string {
  return `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
