import { RE2JS } from 're2js'
import { maxPattern, maxSubject, type Patterns, tooLongPattern } from './patterns.ts'

/** Maximum number of steps of a compiled pattern. The time per value grows with them. A pattern of 200 characters has about 200. */
const maxSteps = 1000

/** Maximum number of cached patterns. */
const maxCached = 100
/** Maximum number of cached results. A table matches its cells at each render. */
const maxResults = 10_000

type Compiled = { test: (value: string) => boolean } | { problem: string }

/** Creates a matcher without backtracking. Its code is large, so `loadPatterns` fetches it on demand. */
export function createPatterns(): Patterns {
  const cache = new Map<string, Compiled>()
  const results = new Map<string, boolean>()

  function compile(pattern: string): Compiled {
    if (pattern.length > maxPattern) return { problem: tooLongPattern }
    // re2js reads `\k<name>` as literal characters.
    if (/^(?:[^\\]|\\[^k])*\\k/s.test(pattern)) return { problem: backReference }
    try {
      const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern), RE2JS.CASE_INSENSITIVE)
      return compiled.programSize() > maxSteps
        ? { problem: 'This pattern repeats too often and is ignored. Use smaller numbers in braces.' }
        : { test: (value) => compiled.test(value) }
    } catch (error) {
      return { problem: problemIn(String(error)) }
    }
  }

  function compiled(pattern: string): Compiled {
    const known = cache.get(pattern)
    if (known !== undefined) return known
    if (cache.size >= maxCached) cache.clear()
    const made = compile(pattern)
    cache.set(pattern, made)
    return made
  }

  return {
    matches(value, pattern) {
      const subject = value.slice(0, maxSubject)
      // The length is given, so the pattern can contain any character.
      const key = `${pattern.length} ${pattern}${subject}`
      const known = results.get(key)
      if (known !== undefined) return known
      const matcher = compiled(pattern)
      const result = 'test' in matcher && matcher.test(subject)
      if (results.size >= maxResults) results.clear()
      // Longer patterns never match; their text would only fill the cache.
      if (pattern.length <= maxPattern) results.set(key, result)
      return result
    },
    problemOf(pattern) {
      const matcher = compiled(pattern)
      return 'problem' in matcher ? matcher.problem : undefined
    },
  }
}

const backReference =
  'Patterns with a back reference such as \\1 are ignored. Repeat that part of the pattern instead.'

function problemIn(error: string): string {
  if (/`\(\?<?[=!]/.test(error))
    return 'Patterns with look-ahead or look-behind such as (?=…) are ignored. Rewrite the pattern without them.'
  if (/escape sequence: `\\[1-9]/.test(error)) return backReference
  return 'This is not a valid pattern and is ignored. Put a backslash before special characters.'
}
