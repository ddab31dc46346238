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
 * The next moments of a schedule after one, at most `count`. A time that clocks leave out in spring is an hour later on that day,
 * one they go through twice in autumn counts once.
 * @throws CronError what cannot be read, and a schedule that never comes, such as the 31st of February
 */
export function nextMoments({ expression, timeZone }: CronSchedule, after: Date, count: number): Date[] {
  const parts = partsOf(expression)
  try {
    new Intl.DateTimeFormat('en', { timeZone })
  } catch {
    throw new CronError('timeZone', `“${timeZone}” is no time zone. Name one such as Europe/London or UTC.`)
  }
  let cron: Cron
  try {
    cron = new Cron(parts.join(' '), { timezone: timeZone, mode: '5-part' })
  } catch (error) {
    throw new CronError('expression', `${untranslated}: ${reasonOf(error)}.`)
  }
  const moments = runsOf(cron, after, count)
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

function runsOf(cron: Cron, after: Date, count: number): Date[] {
  try {
    // One after the other: all at once, some come twice on the day when clocks go forward.
    const moments: Date[] = []
    while (moments.length < count) {
      const next = cron.nextRun(moments.at(-1) ?? after)
      if (next === null) break
      moments.push(next)
    }
    return moments
  } catch (error) {
    // So ends the search for a date that is in no year.
    if (error instanceof RangeError) return []
    throw error
  }
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/^(CronPattern|Error): */, '').replace(/\.$/, '')
}
