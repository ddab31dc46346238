import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { patternsIn, type StoredCondition } from '../../core/conditions/condition.ts'
import { loadPatterns } from '../../core/conditions/load-patterns.ts'
import type { Patterns } from '../../core/conditions/patterns.ts'

/** The matcher for the patterns of some conditions. */
export interface UsedPatterns {
  /** Undefined while it loads, and where no condition has a pattern. */
  patterns: Patterns | undefined
  /** Why patterns are ignored, in words, each reason once; empty for none. */
  problems: readonly string[]
  /** The matcher once it is loaded; undefined where no condition has a pattern. */
  load: () => Promise<Patterns | undefined>
}

/** Loads the matcher for patterns when one of the conditions has a pattern. */
export function usePatterns(
  conditions: readonly (Pick<StoredCondition, 'conditionValueA'> & Partial<StoredCondition>)[],
): UsedPatterns {
  const written = JSON.stringify(patternsIn(conditions))
  const { data, error } = useQuery({
    queryKey: ['patterns'],
    queryFn: loadPatterns,
    enabled: written !== '[]',
    staleTime: Infinity,
    gcTime: Infinity,
  })
  return useMemo(() => {
    const own = JSON.parse(written) as string[]
    if (own.length === 0) return nothingUsed
    if (error !== null && data === undefined)
      return { patterns: undefined, problems: [notLoaded], load: loadPatterns }
    const problems = own.flatMap((pattern) => data?.problemOf(pattern) ?? [])
    return { patterns: data, problems: [...new Set(problems)], load: loadPatterns }
  }, [written, data, error])
}

const nothingUsed: UsedPatterns = {
  patterns: undefined,
  problems: [],
  load: () => Promise.resolve(undefined),
}
const notLoaded = 'Patterns could not be loaded and are ignored. Reload the page.'
