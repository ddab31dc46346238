import { createZoneClock } from '@headwater/zones'

// Case-sensitive, because only the case distinguishes months from minutes.
const relative = /^[nN][oO][wW]((?:[+-]\d{1,6}[mhdwMy])*)(?:\/([mhdwMy]))?$/
const step = /([+-]\d{1,6})([mhdwMy])/g

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** About 100,000 years. */
const farthestMs = 3.2e15
/** First Monday, in days from 1970-01-01. */
const firstMonday = 4

/**
 * Parses a relative date: `now`, then steps such as `-7d` or `+1h`, then `/d` for the start of that unit. Minutes and
 * hours are durations; days, weeks, months and years follow the clock of the zone. If a month is too short, the date is
 * its last day.
 * @param isEnd whether to return the end of the unit instead of its start
 * @returns UTC milliseconds; undefined if it is not a relative date
 */
export function parseRelativeDate(
  text: string,
  timeZone: string,
  now: number,
  isEnd: boolean,
): number | undefined {
  const match = relative.exec(text.trim())
  if (match === null) return undefined
  const clock = createZoneClock(timeZone)
  let instant = now
  for (const [, amount, unit] of (match[1] ?? '').matchAll(step)) {
    const count = Number(amount)
    if (unit === 'm' || unit === 'h') {
      instant += count * (unit === 'm' ? minuteMs : hourMs)
      continue
    }
    const local = moveDate(clock.toLocal(instant), count, unit as Unit)
    // The calendar does not support dates this far away.
    if (!(Math.abs(local) <= farthestMs)) return undefined
    instant = clock.toUtc(local)
  }
  const unit = match[2] as Unit | 'm' | 'h' | undefined
  if (unit === undefined) return instant
  const local = clock.toLocal(instant)
  if (unit === 'm' || unit === 'h') {
    const length = unit === 'm' ? minuteMs : hourMs
    const begin = instant - (((local % length) + length) % length)
    return isEnd ? begin + length - 1 : begin
  }
  const begin = beginOf(local, unit)
  return isEnd ? clock.toUtc(moveDate(begin, 1, unit)) - 1 : clock.toUtc(begin)
}

type Unit = 'd' | 'w' | 'M' | 'y'

function moveDate(local: number, count: number, unit: Unit): number {
  if (unit === 'd' || unit === 'w') return local + count * (unit === 'w' ? 7 : 1) * dayMs
  const at = new Date(local)
  const month = at.getUTCMonth() + count * (unit === 'y' ? 12 : 1)
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), month + 1, 0)).getUTCDate()
  return at.setUTCFullYear(at.getUTCFullYear(), month, Math.min(at.getUTCDate(), lastDay))
}

function beginOf(local: number, unit: Unit): number {
  const day = Math.floor(local / dayMs)
  if (unit === 'd') return day * dayMs
  if (unit === 'w') return (day - ((((day - firstMonday) % 7) + 7) % 7)) * dayMs
  const at = new Date(local)
  return new Date(day * dayMs).setUTCMonth(unit === 'y' ? 0 : at.getUTCMonth(), 1)
}
