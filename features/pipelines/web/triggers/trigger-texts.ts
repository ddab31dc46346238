import { CronError, describeCron, describeRecurrence } from '@headwater/cron'
import { statusLabel } from '@headwater/web-kit'
import { triggerSchemas, type PipelineTrigger, type TriggerInput } from '../../contract/index.ts'
import { scheduleText } from '../schedule-text.ts'
import { triggerLabels } from '../trigger-labels.ts'

/** Names of the policies for missed runs. */
export const missedRunLabels = {
  ONCE: 'Run once, late',
  SKIP: 'Skip missed runs',
  ALL: 'Run all of the last 24 hours',
} as const

/** Returns the name of a trigger. Without one: its rule in English, or else its type. */
export function triggerNameOf(trigger: TriggerInput): string {
  return trigger.name || ruleText(trigger) || triggerLabels[trigger.type]
}

/** Describes the rule of a trigger with times; undefined for other triggers and invalid rules. */
function ruleText(trigger: TriggerInput): string | undefined {
  if (!triggerSchemas[trigger.type].safeParse(trigger).success) return undefined
  if (trigger.type === 'SCHEDULER') return describeRecurrence(trigger.rule)
  if (trigger.type !== 'CRON') return undefined
  try {
    return describeCron(trigger.cron)
  } catch (error) {
    if (error instanceof CronError) return undefined
    throw error
  }
}

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
