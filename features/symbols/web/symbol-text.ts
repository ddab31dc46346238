import type { SymbolMap } from '../contract/index.ts'

/** A symbol as people read it: `Code=BRENT · Period=D`. */
export function symbolText(symbols: SymbolMap): string {
  return Object.entries(symbols)
    .map(([key, value]) => `${key}=${value}`)
    .join(' · ')
}
