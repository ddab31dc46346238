import { links, routeNames, symbolText } from '@headwater/web-kit'
import type { SymbolAddress } from './use-storage-state.ts'

/** Maximum number of symbols in a link, because URLs have a limited length. Callers offer no link to more. */
export const maxLinkedSymbols = 50

/**
 * Returns the URL of the data prep creator with symbols. Each symbol is a pair of the parameters `groupName` and `symbol`.
 */
export function newPrepHref(symbols: readonly SymbolAddress[]): string {
  return creatorHref(symbols, routeNames.table)
}

/** Returns the same URL with the basket open. */
export function basketHref(symbols: readonly SymbolAddress[]): string {
  return creatorHref(symbols, routeNames.basket)
}

/** Returns the same URL with the chart open. */
export function chartHref(symbols: readonly SymbolAddress[]): string {
  return creatorHref(symbols, routeNames.charts)
}

function creatorHref(symbols: readonly SymbolAddress[], hash: string): string {
  const [path] = links.dataPrepNew().split(/[?#]/)
  const parameters = new URLSearchParams({ query: '' })
  for (const { groupName, symbols: keys } of symbols) {
    parameters.append('groupName', groupName)
    parameters.append('symbol', symbolText(keys))
  }
  return `${path}?${parameters.toString()}#${hash}`
}
