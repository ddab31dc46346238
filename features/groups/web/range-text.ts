import { formatUtc } from '@headwater/web-kit'

/** Returns a range of readable data as text, `from … before …`. Its limits are ISO date-times in UTC; empty without a limit. */
export function rangeText({
  dataStart,
  dataEnd,
}: {
  dataStart?: string | null | undefined
  dataEnd?: string | null | undefined
}): string {
  const dateOf = (time: string) => formatUtc(`${time}Z`)
  return [
    ...(dataStart ? [`from ${dateOf(dataStart)}`] : []),
    ...(dataEnd ? [`before ${dateOf(dataEnd)}`] : []),
  ].join(' ')
}
