/** Maximum length of a pattern, in characters. */
export const maxPattern = 200
/** Maximum number of characters of a value that a pattern is matched with. */
export const maxSubject = 500

/** Message for a pattern that is too long. */
export const tooLongPattern = `A pattern can have at most ${maxPattern} characters. This one is ignored.`

/** Matches values against patterns of users. The time grows only with the length of the value. */
export interface Patterns {
  /** Whether the first 500 characters of a value contain a match, ignoring case; false for an invalid pattern. */
  matches: (value: string, pattern: string) => boolean
  /** Returns why a pattern is ignored and what is allowed, as text for users; undefined for a valid pattern. */
  problemOf: (pattern: string) => string | undefined
}
