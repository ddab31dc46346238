/** Colours and fonts of the environment of the chart, resolved for a canvas. */
export interface Theme {
  /** Resolves a CSS colour or token name to a colour for a canvas. */
  color: (css: string) => string
  /** Font family. */
  family: string
  /** Colour of grid lines. */
  grid: string
  /** Colour of axis labels. */
  label: string
  /** Colour of text. */
  text: string
  /** Colour of secondary text. */
  muted: string
  /** Colour of the background. */
  surface: string
}

/**
 * Reads the theme at the position of the chart. Tokens contain `light-dark()` and other tokens, which only a computed
 * style resolves. All colours are first written into probe elements and then read, so that styles are computed only
 * once.
 */
export function readTheme(container: HTMLElement, colors: readonly string[]): Theme {
  const wanted = [...new Set([...colors, ...Object.values(OWN)])]
  const surroundings = surroundingsOf(container, wanted)
  const known = themes.get(surroundings)
  if (known !== undefined) return known
  const box = document.createElement('div')
  box.style.display = 'none'
  for (const css of wanted) {
    const probe = document.createElement('i')
    probe.style.color = css.startsWith('--') ? `var(${css}, ${FALL_BACK})` : css
    // With an unknown colour the style would stay empty, and the probe would inherit the text colour.
    if (!probe.style.color) probe.style.color = FALL_BACK
    box.append(probe)
  }
  container.append(box)
  const computed = new Map(wanted.map((css, i) => [css, getComputedStyle(box.children[i]!).color]))
  const family = getComputedStyle(container).fontFamily || 'sans-serif'
  box.remove()
  const color = (css: string) => computed.get(css) ?? FALL_BACK
  const theme = {
    color,
    family,
    grid: color(OWN.grid),
    label: color(OWN.label),
    text: color(OWN.text),
    muted: color(OWN.muted),
    surface: color(OWN.surface),
  }
  if (themes.size >= MOST_THEMES) themes.clear()
  themes.set(surroundings, theme)
  return theme
}

/**
 * Caches the theme, because the charts of a page mostly share environment and colours and each probe costs a layout.
 */
const themes = new Map<string, Theme>()
const MOST_THEMES = 100

/** Returns a key of everything that the token colours and the font depend on. */
function surroundingsOf(container: HTMLElement, wanted: readonly string[]): string {
  const style = getComputedStyle(container)
  const tokens = new Set(wanted.flatMap((css) => css.match(/--[\w-]+/g) ?? []))
  return JSON.stringify([
    wanted,
    [...tokens].map((token) => style.getPropertyValue(token)),
    style.color,
    style.colorScheme,
    style.fontFamily,
    ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((media) => matchMedia(media).matches),
  ])
}

const FALL_BACK = 'gray'

const OWN = {
  grid: 'var(--line, light-dark(#e2e6ea, #262f37))',
  label: 'var(--text-3, light-dark(#6f7b87, #84919d))',
  text: 'var(--text, light-dark(#18212a, #e4e9ee))',
  muted: 'var(--text-2, light-dark(#55616d, #a3afba))',
  surface: 'var(--surface, light-dark(#ffffff, #151b20))',
}
