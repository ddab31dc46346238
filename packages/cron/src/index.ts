import { canonicalZone, createZoneClock, type ZoneClock } from '@headwater/zones'
import { Cron } from 'croner'
import cronstrue from 'cronstrue'

/** When something is to happen again and again. */
export interface CronSchedule {
  /**
   * Five parts with spaces between: minute, hour, day of the month, month, weekday (0 to 7 from Sunday to Sunday, or MON).
   * A part is `*`, `?` (the same), a value, a list `1,2`, a span `1-5`, either with a step, such as `*` with `/5` behind it, or `L` for
   * the last day. With both a day and a weekday, either will do, as in the cron of Unix.
   */
  expression: string
  /** IANA name of the zone whose clocks count. */
  timeZone: string
}

/** An expression or zone that cannot be read; the message says what is wrong, for people. */
export class CronError extends Error {
  override name = 'CronError'
  /** What cannot be read. */
  readonly part: keyof CronSchedule

  constructor(part: keyof CronSchedule, message: string) {
    super(message)
    this.part = part
  }
}

/**
 * The next moments of a schedule after one, at most `count`. Where the hour is fixed, a time that clocks leave out in spring is an hour
 * later on that day, and one they go through twice in autumn counts once. Where the hour begins with `*`, real time goes on: what
 * clocks leave out is left out, and what they go through twice counts twice. So does the cron of Unix.
 * @throws CronError what cannot be read, and a schedule that never comes, such as the 31st of February
 */
export function nextMoments({ expression, timeZone }: CronSchedule, after: Date, count: number): Date[] {
  const parts = partsOf(expression)
  if (canonicalZone(timeZone) === undefined)
    throw new CronError('timeZone', `“${timeZone}” is no time zone. Name one such as Europe/London or UTC.`)
  let cron: Cron
  try {
    // It is asked for times on the clock, as of a clock that nobody puts forward or back.
    cron = new Cron(parts.join(' '), { timezone: 'UTC', mode: '5-part' })
  } catch (error) {
    throw new CronError('expression', `${untranslated}: ${reasonOf(error)}.`)
  }
  const moments = momentsOf(cron, createZoneClock(timeZone), {
    after,
    count,
    isRealTime: parts[1]!.startsWith('*'),
  })
  if (moments.length === 0)
    throw new CronError('expression', `“${expression.trim()}” is a date that never comes.`)
  return moments
}

/**
 * What an expression means, in English, for example `At 07:00, Monday through Friday`.
 * @throws CronError what cannot be read
 */
export function cronInWords(expression: string): string {
  const parts = partsOf(expression)
  try {
    return cronstrue.toString(parts.join(' '), { use24HourTimeFormat: true })
  } catch (error) {
    throw new CronError('expression', `${untranslated}: ${reasonOf(error)}.`)
  }
}

const untranslated = 'Could not translate the cron expression'

function partsOf(expression: string): string[] {
  // The libraries take a `?` beside a weekday for every day.
  const parts = expression
    .trim()
    .split(/\s+/)
    .map((part) => (part === '?' ? '*' : part))
  const odd = parts.find((part) => !/^[\dA-Za-z*/,#-]+$/.test(part))
  if (parts.length === 5 && odd === undefined) return parts
  throw new CronError(
    'expression',
    `${untranslated}. It has five parts: minute, hour, day of the month, month and weekday, such as 0 7 * * 1-5.`,
  )
}

/** The moments at which the clock shows what `cron` asks for. */
function momentsOf(
  cron: Cron,
  clock: ZoneClock,
  { after, count, isRealTime }: { after: Date; count: number; isRealTime: boolean },
): Date[] {
  const moments = new Set<number>()
  // Where clocks are changed moments are not in the order of the times that are shown.
  let time: Date | null = new Date(clock.toLocal(after.getTime()) - changeNear(clock, after.getTime()))
  let beyond = Infinity
  while ((time = nextTime(cron, time)) !== null && time.getTime() <= beyond) {
    const shown = clock.momentsOf(time.getTime())
    const counted = isRealTime ? shown : [clock.toUtc(time.getTime())]
    for (const moment of counted) if (moment > after.getTime()) moments.add(moment)
    if (moments.size >= count && beyond === Infinity)
      beyond = time.getTime() + changeNear(clock, clock.toUtc(time.getTime()))
  }
  return [...moments]
    .sort((a, b) => a - b)
    .slice(0, count)
    .map((moment) => new Date(moment))
}

function nextTime(cron: Cron, after: Date): Date | null {
  try {
    return cron.nextRun(after)
  } catch (error) {
    // So ends the search for a date that is in no year.
    if (error instanceof RangeError) return null
    throw error
  }
}

/** By how many milliseconds the clock is put forward or back within three hours of a moment; 0 on nearly every day. */
function changeNear(clock: ZoneClock, moment: number): number {
  const nearMs = 3 * 3_600_000
  const offsets = [moment - nearMs, moment, moment + nearMs].map(clock.offsetAt)
  return Math.max(...offsets) - Math.min(...offsets)
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/^(CronPattern|Error): */, '').replace(/\.$/, '')
}
