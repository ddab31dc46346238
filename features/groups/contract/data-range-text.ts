const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})
const dayMs = 86_400_000

/**
 * Describes the range of readable data of a share, as `from 1 March 2026 to 31 March 2026 (UTC)`; empty if there is no
 * limit.
 * @param range ISO date-times in UTC, with or without `Z`; the end is excluded; null or absent = no limit
 */
export function dataRangeText({
  dataStart,
  dataEnd,
}: {
  dataStart?: string | null | undefined
  dataEnd?: string | null | undefined
}): string {
  const parts = [...(dataStart ? [startText(dataStart)] : []), ...(dataEnd ? [endText(dataEnd)] : [])]
  return parts.length === 0 ? '' : `${parts.join(' ')} (UTC)`
}

function startText(time: string): string {
  const date = dateOf(time)
  return `from ${isMidnight(date) ? dayFormat.format(date) : withTime(date)}`
}

/** Formats an end. An end at midnight is displayed as the previous day. */
function endText(time: string): string {
  const date = dateOf(time)
  if (!isMidnight(date)) return `until ${withTime(date)}`
  return `to ${dayFormat.format(new Date(date.getTime() - dayMs))}`
}

function dateOf(time: string): Date {
  return new Date(time.endsWith('Z') ? time : `${time}Z`)
}

function isMidnight(date: Date): boolean {
  return date.getTime() % dayMs === 0
}

function withTime(date: Date): string {
  return `${dayFormat.format(date)}, ${date.toISOString().slice(11, 16)}`
}
