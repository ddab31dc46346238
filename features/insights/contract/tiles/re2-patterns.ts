import { RE2JS } from 're2js'
import { maxPattern, maxSubject, type Patterns, tooLongPattern } from './patterns.ts'

/** The most steps of a compiled pattern: the time for a value grows with them. A pattern of 200 letters has some 200. */
const maxSteps = 1000

/** How many compiled patterns are cached. */
const maxCached = 100

type Compiled = { test: (value: string) => boolean } | { problem: string }

/** A matcher by an engine that never goes back in a text. It is large: `loadPatterns` fetches it where it is needed. */
export function createPatterns(): Patterns {
  const cache = new Map<string, Compiled>()

  function compile(pattern: string): Compiled {
    if (pattern.length > maxPattern) return { problem: tooLongPattern }
    // the matcher takes a reference by name for letters
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
      const found = compiled(pattern)
      return 'test' in found && found.test(value.slice(0, maxSubject))
    },
    problemOf(pattern) {
      const found = compiled(pattern)
      return 'problem' in found ? found.problem : undefined
    },
  }
}

const backReference =
  'Patterns with a back reference such as \\1 are ignored. Repeat that part of the pattern instead.'

function problemIn(error: string): string {
  if (/`\(\?<?[=!]/.test(error))
    return 'Patterns with look-ahead or look-behind such as (?=…) are ignored. Describe the text itself.'
  if (/escape sequence: `\\[1-9]/.test(error)) return backReference
  return 'This is not a valid pattern and is ignored. Put a backslash before special characters.'
}
