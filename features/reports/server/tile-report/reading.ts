import type { Principal } from '@headwater/server-kit'
import type { ReportLimits } from './report-tile.ts'

/** State of reading a tile with the access of a user. */
export interface Reading {
  /** The user. */
  principal: Principal
  /** Aborts the reading. */
  signal: AbortSignal
  /** Limits of the report. */
  limits: ReportLimits
  /** Names of the last authors of the data preps that the tile queries. */
  prepSavers: Set<string>
  /** Whether some requested data does not exist or the user cannot read it. */
  isPartial: boolean
}

/** Returns the state before a reading. */
export function beginReading(
  principal: Principal,
  { signal, limits }: Pick<Reading, 'signal' | 'limits'>,
): Reading {
  return { principal, signal, limits, prepSavers: new Set(), isPartial: false }
}
