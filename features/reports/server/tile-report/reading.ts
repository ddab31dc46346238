import type { Principal } from '@headwater/server-kit'

/** State of reading a tile with the access of a user. */
export interface Reading {
  /** The user. */
  principal: Principal
  /** Aborts the reading. */
  signal: AbortSignal
  /** Names of the last authors of the data preps that the tile queries. */
  prepSavers: Set<string>
  /** Whether some requested data does not exist or the user cannot read it. */
  isPartial: boolean
}

/** Returns the state before a reading. */
export function beginReading(principal: Principal, signal: AbortSignal): Reading {
  return { principal, signal, prepSavers: new Set(), isPartial: false }
}
