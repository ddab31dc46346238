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

/** Colour in place of an unknown one. */
export const fallbackColor = 'gray'

/** CSS colours of the chart itself, with the tokens of the theme. */
export const ownColors = {
  grid: 'var(--line, light-dark(#e2e6ea, #262f37))',
  label: 'var(--text-3, light-dark(#6f7b87, #84919d))',
  text: 'var(--text, light-dark(#18212a, #e4e9ee))',
  muted: 'var(--text-2, light-dark(#55616d, #a3afba))',
  surface: 'var(--surface, light-dark(#ffffff, #151b20))',
} as const
