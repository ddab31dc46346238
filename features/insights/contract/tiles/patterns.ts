import type { RE2JS } from 're2js'

/** The most characters of a pattern, and of a value that it is tried on. */
export const maxPattern = 200
export const maxSubject = 500

/** The most steps of a compiled pattern: the time for a value grows with them. A pattern of 200 letters has some 200. */
const maxSteps = 1000

/** How many compiled patterns are cached. */
const maxCached = 100

/** Matches values against patterns that users wrote, in time that grows with the length of the value only. */
export interface Patterns {
  /**
   * Whether the first 500 characters of a value contain a match, in any letter case; never for a pattern that cannot be
   * used.
   */
  matches(value: string, pattern: string): boolean
  /** Why a pattern is ignored and what is allowed, for people; undefined when it can be used. */
  problemOf(pattern: string): string | undefined
}

type Compiled = { test: (value: string) => boolean } | { problem: string }

/** A matcher for patterns by an engine that never goes back in a text. */
export function createPatterns(engine: typeof RE2JS): Patterns {
  const cache = new Map<string, Compiled>()

  function compile(pattern: string): Compiled {
    if (pattern.length > maxPattern) return { problem: tooLongPattern }
    // the matcher takes a reference by name for letters
    if (/^(?:[^\\]|\\[^k])*\\k/s.test(pattern)) return { problem: backReference }
    try {
      const compiled = engine.compile(engine.translateRegExp(pattern), engine.CASE_INSENSITIVE)
      return compiled.programSize() > maxSteps
        ? { problem: 'This pattern repeats too often and is ignored. Use smaller numbers in braces.' }
        : { test: (value) => compiled.test(value) }
    } catch (error) {
      return { problem: problemIn(String(error)) }
    }
  }

  function compiled(pattern: string): Compiled {
    const known = cache.get(pattern) ?? compile(pattern)
    if (cache.size >= maxCached) cache.clear()
    cache.set(pattern, known)
    return known
  }

  return {
    matches(value, pattern) {
      const found = compiled(pattern)
      return 'test' in found && found.test(value.slice(0, maxSubject))
    },
    problemOf(pattern) {
      const found = compiled(pattern)
      return 'problem' in found ? found.problem : undefined
    },
  }
}

/** Why a longer pattern is ignored. */
export const tooLongPattern = `A pattern has at most ${maxPattern} characters. This one is ignored.`

const backReference =
  'Patterns with a back reference such as \\1 are ignored. Repeat that part of the pattern instead.'

function problemIn(error: string): string {
  if (/`\(\?<?[=!]/.test(error))
    return 'Patterns with look-ahead or look-behind such as (?=…) are ignored. Describe the text itself.'
  if (/escape sequence: `\\[1-9]/.test(error)) return backReference
  return 'This is not a valid pattern and is ignored. Put a backslash before special characters.'
}
