import { createZoneClock } from '@headwater/zones'

// A month and a minute differ by their letter case only.
const relative = /^[nN][oO][wW]((?:[+-]\d{1,6}[mhdwMy])*)(?:\/([mhdwMy]))?$/
const step = /([+-]\d{1,6})([mhdwMy])/g

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** 100,000 years, about. */
const farthestMs = 3.2e15
/** The first Monday of a count of days from 1970. */
const firstMonday = 4

/**
 * Reads a date relative to now: `now`, then steps such as `-7d` or `+1h`, then `/d` for the begin of that unit. Minutes and hours are as
 * long as they are, days, weeks, months and years go by the clock of the zone; a month that is too short ends on its last day.
 * @param isEnd whether the end of the unit is meant instead of its begin
 * @returns UTC milliseconds; undefined if it is no relative date
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
  let moment = now
  for (const [, amount, unit] of (match[1] ?? '').matchAll(step)) {
    const count = Number(amount)
    if (unit === 'm' || unit === 'h') {
      moment += count * (unit === 'm' ? minuteMs : hourMs)
      continue
    }
    const local = moveDate(clock.toLocal(moment), count, unit as Unit)
    // Far beyond all data there is no calendar.
    if (!(Math.abs(local) <= farthestMs)) return undefined
    moment = clock.toUtc(local)
  }
  const unit = match[2] as Unit | 'm' | 'h' | undefined
  if (unit === undefined) return moment
  const local = clock.toLocal(moment)
  if (unit === 'm' || unit === 'h') {
    const length = unit === 'm' ? minuteMs : hourMs
    const begin = moment - (((local % length) + length) % length)
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
