import { describeRecurrence } from '@headwater/cron'
import type { PipelineTrigger, TriggerInput } from '../../contract/index.ts'
import { scheduleText } from '../schedule-text.ts'

/** Names of the types of triggers on screens. */
export const triggerLabels: Readonly<Record<TriggerInput['type'], string>> = {
  CRON: 'Cron schedule',
  SCHEDULER: 'Calendar or interval',
  FILEARRIVAL: 'File arrival',
  PIPELINE: 'After another pipeline',
  EMAIL: 'E-mail',
  RETRY: 'Retry of failed runs',
  None: 'Webhook',
}

/** Names of the results of runs. */
export const resultLabels = { INFO: 'Succeeded', WARN: 'Warning', ERROR: 'Error' } as const

/** Names of the policies for missed runs. */
export const missedRunLabels = {
  ONCE: 'Run the first missed one late',
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
      return `After ${trigger.pipelineName ?? 'a deleted pipeline'}: ${resultsOf(trigger.statuses)}`
    case 'EMAIL':
      return `From ${trigger.allowedSenders.join(', ')}`
    case 'RETRY':
      return `${resultsOf(trigger.statuses)}: at most ${trigger.attempts} times`
    case 'None':
      return trigger.signed ? 'Calls with a signature' : 'Calls of its URL'
  }
}

function resultsOf(statuses: readonly (keyof typeof resultLabels)[]): string {
  return statuses.map((status) => resultLabels[status]).join(', ')
}
