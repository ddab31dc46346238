import { earliestMs } from './calendar-time.ts'
import type { DatasetFacts } from './dataset-tables.ts'
import type { UploadFacts } from './upload-blocks.ts'

/** Contents of a staging table. */
export interface StagedFacts {
  /** Number of rows. */
  rows: number
  /** Lowest series number. */
  firstSid: number
  /** Highest series number. */
  lastSid: number
  /** Earliest timestamp, in UTC milliseconds. */
  first: number
  /** Latest timestamp, in UTC milliseconds. */
  last: number
  /** Whether a timestamp may have milliseconds. */
  mayHaveMilliseconds: boolean
  /** Whether a double may be extreme: see `ordinaryPower`. */
  mayHaveExtremes: boolean
}

/** Returns the facts of the staging table that an upload would have. */
export function stagedFactsOf(seen: UploadFacts): StagedFacts {
  const { rows, firstSid, sid, first, last, hasMilliseconds, hasExtremes } = seen
  return {
    rows,
    firstSid,
    lastSid: sid,
    first,
    last,
    mayHaveMilliseconds: hasMilliseconds,
    mayHaveExtremes: hasExtremes,
  }
}

/** Facts of a dataset without points. */
export const noPoints: DatasetFacts = {
  version: 0,
  lastSid: 0,
  lastTimestamp: earliestMs - 1,
  mayRevise: false,
  mayHaveMilliseconds: false,
  mayHaveExtremes: false,
}

/**
 * Returns the facts of a dataset after one more version. Undefined facts mean that nothing is known about the earlier
 * points.
 */
export function addToFacts(
  facts: DatasetFacts | undefined,
  version: number,
  staged: StagedFacts,
): DatasetFacts {
  const isApart =
    facts !== undefined && (staged.firstSid > facts.lastSid || staged.first > facts.lastTimestamp)
  return {
    version: Math.max(facts?.version ?? 0, version),
    lastSid: Math.max(facts?.lastSid ?? 0, staged.lastSid),
    lastTimestamp: Math.max(facts?.lastTimestamp ?? earliestMs, staged.last),
    mayRevise: !isApart || facts.mayRevise,
    mayHaveMilliseconds: staged.mayHaveMilliseconds || (facts?.mayHaveMilliseconds ?? true),
    mayHaveExtremes: staged.mayHaveExtremes || (facts?.mayHaveExtremes ?? true),
  }
}
