import { CronError, describeCron } from '@headwater/cron'
import type { Pipeline } from '../contract/index.ts'
import { triggerName } from './trigger-labels.ts'

/** Describes a schedule with its time zone, such as `At 07:00, UTC`; returns a warning if the expression cannot be translated. */
export function scheduleText({
  cron,
  timeZone,
  description = '',
}: {
  cron: string
  timeZone: string
  description?: string
}): string {
  if (description !== '') return `${description}, ${timeZone}`
  try {
    return `${describeCron(cron)}, ${timeZone}`
  } catch (error) {
    if (error instanceof CronError) return 'Could not translate the cron expression'
    throw error
  }
}

/** Returns the text of a version without schedules. Only the newest version has them. */
export function withoutSchedule({ latest, trigger }: Pick<Pipeline, 'latest' | 'trigger'>): string {
  if (!latest) return 'Schedules and triggers run the newest version.'
  return trigger === 'None' ? 'No schedule. Runs start manually.' : `No schedule. ${triggerName(trigger)}.`
}
