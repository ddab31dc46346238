import { CronError, cronInWords } from '@headwater/cron'

/** What a cron expression means, in words; a warning for one that cannot be translated. */
export function scheduleWords(cron: string): string {
  try {
    return cronInWords(cron)
  } catch (error) {
    if (error instanceof CronError) return 'Could not translate the cron expression'
    throw error
  }
}
