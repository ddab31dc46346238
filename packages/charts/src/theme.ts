import { fallbackColor, ownColors, type Theme } from './theme-colors.ts'

/**
 * Reads the theme that applies to the container. Tokens contain `light-dark()` and other tokens, which only a computed style
 * resolves. All colours are first written into probe elements and then read, so that the browser computes styles only once.
 */
export function readTheme(container: HTMLElement, colors: readonly string[]): Theme {
  const wanted = [...new Set([...colors, ...Object.values(ownColors)])]
  const surroundings = surroundingsOf(container, wanted)
  const known = themes.get(surroundings)
  if (known !== undefined) return known
  const box = document.createElement('div')
  box.style.display = 'none'
  for (const css of wanted) {
    const probe = document.createElement('i')
    probe.style.color = css.startsWith('--') ? `var(${css}, ${fallbackColor})` : css
    // With an unknown colour the style would stay empty, and the probe would inherit the text colour.
    if (!probe.style.color) probe.style.color = fallbackColor
    box.append(probe)
  }
  container.append(box)
  const computed = new Map(wanted.map((css, i) => [css, getComputedStyle(box.children[i]!).color]))
  const family = getComputedStyle(container).fontFamily || 'sans-serif'
  box.remove()
  const color = (css: string) => computed.get(css) ?? fallbackColor
  const theme = {
    color,
    family,
    grid: color(ownColors.grid),
    label: color(ownColors.label),
    text: color(ownColors.text),
    muted: color(ownColors.muted),
    surface: color(ownColors.surface),
  }
  if (themes.size >= MOST_THEMES) themes.clear()
  themes.set(surroundings, theme)
  return theme
}

/**
 * Caches themes, because most charts of a page share environment and colours, and each probe causes a layout.
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
