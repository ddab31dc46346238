import { canonicalZone, createZoneClock, type ZoneClock } from '@headwater/zones'
import { Cron } from 'croner'
import cronstrue from 'cronstrue'

/** A recurring schedule: a cron expression in a time zone. */
export interface CronSchedule {
  /**
   * Five fields separated by spaces: minute, hour, day of the month, month, weekday (0 to 7, where both 0 and 7 are
   * Sunday, or MON). A field is `*`, `?` (same as `*`), a value, a list `1,2`, a range `1-5`, a step such as `*`
   * followed by `/5`, or `L` for the last day. If both day and weekday are restricted, a date needs to match only one
   * of them, as in Unix cron.
   */
  expression: string
  /** IANA name of the time zone in which the expression is evaluated. */
  timeZone: string
}

/** Thrown for an invalid expression or time zone. The message can be shown to users. */
export class CronError extends Error {
  override name = 'CronError'
  /** The field that is invalid. */
  readonly part: keyof CronSchedule

  constructor(part: keyof CronSchedule, message: string) {
    super(message)
    this.part = part
  }
}

/**
 * Returns up to `count` occurrences of a schedule after an instant. Clock changes are handled as in Unix cron. With a fixed
 * hour, a time that the change skips moves forward by the length of the gap, and a repeated time counts once. With an hour
 * that starts with `*`, skipped times are dropped and repeated times count twice.
 * @throws CronError for an invalid schedule, and for one that never occurs, such as 31 February
 */
export function nextOccurrences({ expression, timeZone }: CronSchedule, after: Date, count: number): Date[] {
  const parts = partsOf(expression)
  if (canonicalZone(timeZone) === undefined)
    throw new CronError(
      'timeZone',
      `“${timeZone}” is not a time zone. Use an IANA name such as Europe/London or UTC.`,
    )
  let cron: Cron
  try {
    // The library computes local times. It runs in UTC so that it does not apply daylight saving.
    cron = new Cron(parts.join(' '), { timezone: 'UTC', mode: '5-part' })
  } catch (error) {
    throw new CronError('expression', `${cannotTranslate}: ${reasonOf(error)}.`)
  }
  const instants = instantsOf(cron, createZoneClock(timeZone), {
    after,
    count,
    isRealTime: parts[1]!.startsWith('*'),
  })
  if (instants.length === 0)
    throw new CronError('expression', `“${expression.trim()}” never occurs. Choose a date that exists.`)
  return instants
}

/**
 * Describes an expression in English, for example `At 07:00, Monday through Friday`.
 * @throws CronError for an invalid expression
 */
export function describeCron(expression: string): string {
  const parts = partsOf(expression)
  try {
    return cronstrue.toString(parts.join(' '), { use24HourTimeFormat: true })
  } catch (error) {
    throw new CronError('expression', `${cannotTranslate}: ${reasonOf(error)}.`)
  }
}

const cannotTranslate = 'Could not translate the cron expression'

function partsOf(expression: string): string[] {
  // If a weekday is set, the libraries interpret `?` as every day.
  const parts = expression
    .trim()
    .split(/\s+/)
    .map((part) => (part === '?' ? '*' : part))
  const odd = parts.find((part) => !/^[\dA-Za-z*/,#-]+$/.test(part))
  if (parts.length === 5 && odd === undefined) return parts
  throw new CronError(
    'expression',
    `${cannotTranslate}. It needs five fields: minute, hour, day of the month, month and weekday, such as 0 7 * * 1-5.`,
  )
}

/** Returns the instants at which the local time matches `cron`. */
function instantsOf(
  cron: Cron,
  clock: ZoneClock,
  { after, count, isRealTime }: { after: Date; count: number; isRealTime: boolean },
): Date[] {
  const instants = new Set<number>()
  // Around a daylight saving change, the order of instants differs from the order of local times.
  let time: Date | null = new Date(clock.toLocal(after.getTime()) - changeNear(clock, after.getTime()))
  let beyond = Infinity
  while ((time = nextTime(cron, time)) !== null && time.getTime() <= beyond) {
    const matches = clock.instantsOf(time.getTime())
    const counted = isRealTime ? matches : [clock.toUtc(time.getTime())]
    for (const instant of counted) if (instant > after.getTime()) instants.add(instant)
    if (instants.size >= count && beyond === Infinity)
      beyond = time.getTime() + changeNear(clock, clock.toUtc(time.getTime()))
  }
  return [...instants]
    .sort((a, b) => a - b)
    .slice(0, count)
    .map((instant) => new Date(instant))
}

function nextTime(cron: Cron, after: Date): Date | null {
  try {
    return cron.nextRun(after)
  } catch (error) {
    // The library throws this error if no year has a matching date.
    if (error instanceof RangeError) return null
    throw error
  }
}

/**
 * Returns the change of the UTC offset in milliseconds within three hours of an instant. It is 0 on nearly every day.
 */
function changeNear(clock: ZoneClock, instant: number): number {
  const nearMs = 3 * 3_600_000
  const offsets = [instant - nearMs, instant, instant + nearMs].map(clock.offsetAt)
  return Math.max(...offsets) - Math.min(...offsets)
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/^(CronPattern|Error): */, '').replace(/\.$/, '')
}
