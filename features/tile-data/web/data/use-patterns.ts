import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { patternsIn, type StoredCondition } from '../../core/conditions/condition.ts'
import { loadPatterns } from '../../core/conditions/load-patterns.ts'
import type { Patterns } from '../../core/conditions/patterns.ts'

/** The matcher for the patterns of some conditions. */
export interface UsedPatterns {
  /** The matcher; undefined while it is loading or if there are no patterns. */
  patterns: Patterns | undefined
  /** Distinct messages about ignored patterns. */
  problems: readonly string[]
  /** Loads the matcher; undefined if there are no patterns. */
  load: () => Promise<Patterns | undefined>
}

/** Loads the matcher if a condition has a pattern. */
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
