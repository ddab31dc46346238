import { createPatterns } from '@headwater/tile-data/core'
import { type AppliedFilter, meetsFilters } from './filter-symbols.ts'

/** Request to the worker. */
export interface MatchRequest {
  /** The symbols to match. */
  symbols: Record<string, string>[]
  /** The filters to apply. */
  filters: AppliedFilter[]
}

/** Response of the worker. */
export interface Matched {
  /** Indexes of the symbols that meet all valid filters. */
  met: number[]
  /** Messages about ignored filters, by key. */
  problems: Record<string, string>
}

addEventListener('message', ({ data }: MessageEvent<MatchRequest>) => {
  postMessage(matched(data))
})

function matched({ symbols, filters }: MatchRequest): Matched {
  const patterns = createPatterns()
  const problems = filters.flatMap(({ key, pattern }) => {
    const problem = patterns.problemOf(pattern)
    return problem === undefined ? [] : [[key, problem] as const]
  })
  const usable = filters.filter(({ pattern }) => patterns.problemOf(pattern) === undefined)
  const met = symbols.flatMap((each, index) => (meetsFilters(each, usable, patterns.matches) ? [index] : []))
  return { met, problems: Object.fromEntries(problems) }
}
