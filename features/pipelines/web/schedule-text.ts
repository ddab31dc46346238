import { CronError, describeCron } from '@headwater/cron'
import type { TriggerType } from '@headwater/statuses/contract'

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

const triggerNames: Partial<Record<TriggerType, string>> = {
  FILEARRIVAL: 'When a file arrives',
  PIPELINE: 'After another pipeline',
  RETRY: 'Manual; failed runs are repeated',
  EMAIL: 'When an e-mail arrives',
}

/** Triggers by which lists are filtered, with the labels that users see. */
export const triggerFilters: readonly { value: TriggerType; label: string }[] = [
  { value: 'ANY', label: 'All triggers' },
  { value: 'CRON', label: 'Cron schedule' },
  { value: 'SCHEDULER', label: 'Calendar or interval' },
  { value: 'FILEARRIVAL', label: 'When a file arrives' },
  { value: 'PIPELINE', label: 'After another pipeline' },
  { value: 'EMAIL', label: 'When an e-mail arrives' },
  { value: 'RETRY', label: 'Repeats failed runs' },
  { value: 'None', label: 'Manual' },
]

/** Describes a trigger without times, such as `When a file arrives`. */
export function triggerName(type: TriggerType): string {
  return triggerNames[type] ?? 'Manual'
}
