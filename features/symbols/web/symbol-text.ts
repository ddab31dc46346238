import type { SymbolMap } from '../contract/index.ts'

/** Formats a symbol for display: `Code=BRENT · Period=D`. */
export function symbolText(symbols: SymbolMap): string {
  return Object.entries(symbols)
    .map(([key, value]) => `${key}=${value}`)
    .join(' · ')
}
