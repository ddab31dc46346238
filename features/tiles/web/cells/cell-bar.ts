import type { CSSProperties } from 'react'

/** A bar behind the value of a cell. */
export interface CellBar {
  /** Start of the bar as a fraction of the cell width, 0 to 1. */
  from: number
  /** End of the bar as a fraction of the cell width, 0 to 1. */
  to: number
  /** CSS colour. */
  color: string
}

/** Returns the CSS of a bar. */
export function barStyle({ from, to, color }: CellBar): CSSProperties {
  const [start, end] = [`${from * 100}%`, `${to * 100}%`]
  return {
    backgroundImage: `linear-gradient(to right, transparent ${start}, ${color} ${start} ${end}, transparent ${end})`,
  }
}
