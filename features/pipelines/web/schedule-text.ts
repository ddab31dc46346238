import { CronError, describeCron } from '@headwater/cron'

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
