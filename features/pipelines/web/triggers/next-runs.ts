import { previewSchedule, type NonWorkingDays, type SchedulePreview } from '@headwater/cron'
import type { TriggerInput } from '../../contract/index.ts'

/** A trigger with times. */
export type TimedTrigger = Extract<TriggerInput, { type: 'CRON' | 'SCHEDULER' }>
/** Number of next runs in the preview. */
const count = 5

/**
 * Describes a trigger and returns its next five runs after an instant.
 * @param nonWorkingDays days of the holiday calendar of the trigger; undefined without one
 */
export function previewTrigger(
  trigger: TimedTrigger,
  after: Date,
  nonWorkingDays?: NonWorkingDays,
): SchedulePreview {
  const { timeZone } = trigger
  const schedule =
    trigger.type === 'CRON'
      ? { expression: trigger.cron, timeZone }
      : { ...trigger.rule, timeZone, onFreeDay: trigger.onFreeDay }
  return previewSchedule(schedule, { after, count, nonWorkingDays })
}
