/** Red, green and blue, 0 to 255. */
type Rgb = readonly [number, number, number]

/** A colour as it is drawn in the light and in the dark scheme. */
export interface SchemeColour {
  light: Rgb
  dark: Rgb
}

/** Colours of the theme by the names of their tokens; undefined for a name that the theme does not have. */
export type ThemeColours = (token: string) => SchemeColour | undefined

/** The contrast that text has with what is behind it (WCAG 2.2, level AA). */
export const leastContrast = 4.5

/** How much of a colour of the theme is in a background: as much as the text of the theme allows in both schemes. */
const tintShare = 0.35

/**
 * What a stored background looks like on the surface: a token as a tint, a colour of one's own as it is.
 * @param share how much of a token it has, default that of a tint
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

/** A stored colour as it is. */
export function plainColour(colour: string, theme: ThemeColours): SchemeColour | undefined {
  if (colour.startsWith('--')) return theme(colour)
  const { rgb } = readHex(colour)
  return { light: rgb, dark: rgb }
}

/** A colour between two, `share` 0 to 1 of the way to the second. */
export function between(from: SchemeColour, to: SchemeColour, share: number): SchemeColour {
  return inBoth((scheme) => mixed(from[scheme], to[scheme], share))
}

/** A colour of text that has enough contrast with all backgrounds behind it: the wanted one, or as much of it as they allow. */
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
    // one of them has at least 4.58:1 with any one colour
    return contrastOf(black) > contrastOf(white) ? black : white
  })
}

/** A colour of both schemes as CSS. */
export function cssOf({ light, dark }: SchemeColour): string {
  const [bright, dim] = [hexOf(light), hexOf(dark)]
  return bright === dim ? bright : `light-dark(${bright}, ${dim})`
}

/** Contrast of two colours by WCAG, 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (high! + 0.05) / (low! + 0.05)
}

/**
 * Reads a token as the style sheet writes it: one or two colours such as `#rrggbb`, which the build shortens to `#rgb`;
 * undefined for anything else.
 */
export function readToken(css: string): SchemeColour | undefined {
  const [light, dark = light] = css.match(/#[0-9a-f]{3,8}\b/gi) ?? []
  return light === undefined ? undefined : { light: readHex(light).rgb, dark: readHex(dark!).rgb }
}

const known = new Map<string, SchemeColour | undefined>()

/** The colours of the theme of this page; outside of a page it has none. */
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

/** Whole numbers, so that what is measured is what is drawn. */
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

function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}
