import type { Principal } from '@headwater/server-kit'

/** A reading of a tile in the name of somebody, and what comes to light in it. */
export interface Reading {
  principal: Principal
  signal: AbortSignal
  /** Names of the users who saved the data preps it asks last. */
  prepSavers: Set<string>
  /** Whether something that the tile asks for is not there for the principal, whether or not there is anything. */
  isPartial: boolean
}

/** A reading that begins. */
export function beginReading(principal: Principal, signal: AbortSignal): Reading {
  return { principal, signal, prepSavers: new Set(), isPartial: false }
}
