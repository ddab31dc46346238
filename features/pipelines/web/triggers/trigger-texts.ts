import { describeRecurrence } from '@headwater/cron'
import { statusLabel } from '@headwater/web-kit'
import type { PipelineTrigger } from '../../contract/index.ts'
import { scheduleText } from '../schedule-text.ts'

/** Names of the policies for missed runs. */
export const missedRunLabels = {
  ONCE: 'Run once, late',
  SKIP: 'Skip missed runs',
  ALL: 'Run all of the last 24 hours',
} as const

/** Describes when a trigger starts runs, in English. */
export function triggerText(trigger: PipelineTrigger): string {
  switch (trigger.type) {
    case 'CRON':
      return scheduleText(trigger)
    case 'SCHEDULER':
      return `${describeRecurrence(trigger.rule)}, ${trigger.timeZone}`
    case 'FILEARRIVAL':
      return `Files ${trigger.namePattern} of ${trigger.groupName}`
    case 'PIPELINE':
      return `After ${trigger.pipelineName ?? 'a deleted pipeline'}: ${trigger.statuses.map(statusLabel).join(', ')}`
    case 'EMAIL':
      return `From ${trigger.allowedSenders.join(', ')}`
    case 'RETRY':
      return `${trigger.statuses.map(statusLabel).join(', ')}: at most ${trigger.attempts} times`
    case 'None':
      return trigger.signed ? 'Calls with a signature' : 'Calls of its URL'
  }
}
