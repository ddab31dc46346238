import { links, routeNames, symbolText } from '@headwater/web-kit'
import type { SymbolAddress } from './use-storage-state.ts'

/** Most symbols that a link carries; an address cannot be of any length. */
export const maxLinkedSymbols = 50

/**
 * The creator of data preps with symbols in its form. One symbol stands in `groupName` and `symbol`; further ones repeat both
 * parameters, pair by pair.
 */
export function newPrepHref(symbols: readonly SymbolAddress[]): string {
  return creatorHref(symbols, routeNames.table)
}

/** The same at the basket of the creator. */
export function basketHref(symbols: readonly SymbolAddress[]): string {
  return creatorHref(symbols, routeNames.basket)
}

function creatorHref(symbols: readonly SymbolAddress[], hash: string): string {
  const [path] = links.dataPrepNew().split(/[?#]/)
  const parameters = new URLSearchParams({ query: '' })
  for (const { groupName, symbols: keys } of symbols.slice(0, maxLinkedSymbols)) {
    parameters.append('groupName', groupName)
    parameters.append('symbol', symbolText(keys))
  }
  return `${path}?${parameters.toString()}#${hash}`
}
