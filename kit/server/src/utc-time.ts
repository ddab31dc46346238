/** Formats a time for the API: UTC without an offset, to the second, for example `2026-01-02T03:04:05`. */
export function formatUtcSeconds(time: Date): string {
  return time.toISOString().slice(0, 19)
}

/** Formats a time with milliseconds if it has any, for example `2026-01-02T03:04:05.250`. */
export function formatUtc(time: Date): string {
  return time.toISOString().replace(/(\.000)?Z$/, '')
}

/** The latest time that an ISO date-time with a four-digit year can express. */
export const lastIsoTime = new Date('9999-12-31T23:59:59.999Z')

/**
 * Parses the end of a period. A date means the end of that day; a date-time without a zone is UTC. Returns undefined for
 * empty text, and an invalid Date for text that is not a date.
 */
export function parseUtcEnd(text: string | null | undefined): Date | undefined {
  if (text === null || text === undefined || text === '') return undefined
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return new Date(`${text}T23:59:59.999Z`)
  return new Date(/(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`)
}
