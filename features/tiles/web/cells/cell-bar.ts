import type { CSSProperties } from 'react'

/** A bar behind the value of a cell. */
export interface CellBar {
  /** Where it begins and ends, as shares of the width of the cell, 0 to 1. */
  from: number
  to: number
  /** As CSS. */
  color: string
}

/** A bar behind the value of a cell, as CSS. */
export function barStyle({ from, to, color }: CellBar): CSSProperties {
  const [start, end] = [`${from * 100}%`, `${to * 100}%`]
  return {
    backgroundImage: `linear-gradient(to right, transparent ${start}, ${color} ${start} ${end}, transparent ${end})`,
  }
}
