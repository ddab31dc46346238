/** The most characters of a pattern, and of a value that it is tried on. */
export const maxPattern = 200
export const maxSubject = 500

/** Why a longer pattern is ignored. */
export const tooLongPattern = `A pattern has at most ${maxPattern} characters. This one is ignored.`

/** Matches values against patterns that users wrote, in time that grows with the length of the value only. */
export interface Patterns {
  /**
   * Whether the first 500 characters of a value contain a match, in any letter case; never for a pattern that cannot be
   * used.
   */
  matches: (value: string, pattern: string) => boolean
  /** Why a pattern is ignored and what is allowed, for people; undefined when it can be used. */
  problemOf: (pattern: string) => string | undefined
}
