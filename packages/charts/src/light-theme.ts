import { ownColors, type Theme } from './theme-colors.ts'

const unknownColor = '#808080'

/**
 * Returns the theme of the light scheme outside a browser.
 * @param tokens light colours of the tokens, such as `--text`; unknown tokens are grey
 */
export function lightTheme(family: string, tokens: Readonly<Record<string, string>>): Theme {
  const { grid, label, text, muted, surface } = ownColors
  return {
    color,
    family,
    grid: color(grid),
    label: color(label),
    text: color(text),
    muted: color(muted),
    surface: color(surface),
  }

  function color(css: string): string {
    const comma = css.indexOf(',')
    if (css.startsWith('light-dark(')) return css.slice('light-dark('.length, comma).trim()
    if (css.startsWith('var('))
      return tokens[css.slice('var('.length, comma).trim()] ?? color(css.slice(comma + 1, -1).trim())
    return css.startsWith('--') ? (tokens[css] ?? unknownColor) : css
  }
}
