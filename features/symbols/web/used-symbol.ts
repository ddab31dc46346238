import type { UsedObject } from '@headwater/web-kit'
import type { SymbolAddress } from './use-storage-state.ts'

/** Returns the address of a symbol for the search for its users. */
export function usedSymbol({ groupName, symbols }: SymbolAddress): UsedObject {
  return { type: 'SYMBOL', groupName, symbols }
}
