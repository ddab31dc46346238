import { CronError, describeCron } from '@headwater/cron'

/** When a schedule runs, in words and with its zone; a warning for an expression that cannot be translated. */
export function scheduleWords({ cron, timeZone }: { cron: string; timeZone: string }): string {
  try {
    return `${describeCron(cron)}, ${timeZone}`
  } catch (error) {
    if (error instanceof CronError) return 'Could not translate the cron expression'
    throw error
  }
}
