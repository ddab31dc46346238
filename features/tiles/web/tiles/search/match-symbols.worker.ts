import { createPatterns } from '../../../core/conditions/re2-patterns.ts'
import { type AppliedFilter, meetsFilters } from './filter-symbols.ts'

/** What the worker is asked: which of these symbols meet all filters. */
export interface MatchRequest {
  symbols: Record<string, string>[]
  filters: AppliedFilter[]
}

/** What the worker found out. */
export interface Matched {
  /** Indexes of the symbols that meet all filters that can be used. */
  met: number[]
  /** Why filters are ignored, by their keys. */
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
