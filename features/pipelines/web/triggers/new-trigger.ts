import type { z } from 'zod'
import {
  triggerInput,
  type calendarRule,
  type PipelineTrigger,
  type TriggerInput,
} from '../../contract/index.ts'

/** Rule of a new scheduler. */
export const newCalendar: z.output<typeof calendarRule> = {
  kind: 'CALENDAR',
  times: ['07:00'],
  days: 'EVERY_DAY',
  weekdays: [],
}

/** Returns a new trigger of a type, with the defaults of its form. */
export function newTrigger(type: TriggerInput['type'], timeZone: string): TriggerInput {
  const common = { name: '', active: true, becomeOwner: false }
  switch (type) {
    case 'CRON':
      return { type, ...common, cron: '0 7 * * 1-5', timeZone, holidayCalendar: null, missedRuns: 'ONCE' }
    case 'SCHEDULER':
      return {
        type,
        ...common,
        rule: newCalendar,
        timeZone,
        holidayCalendar: null,
        onFreeDay: 'RUN',
        missedRuns: 'ONCE',
      }
    case 'FILEARRIVAL':
      return { type, ...common, groupName: '', namePattern: '*' }
    case 'PIPELINE':
      return { type, ...common, pipelineId: '', statuses: ['INFO'] }
    case 'RETRY':
      return { type, ...common, attempts: 3, delaySeconds: 60, backoff: 2, statuses: ['ERROR'] }
    case 'EMAIL':
      return { type, ...common, allowedSenders: [], subjectPattern: '*', attachmentsGroupName: null }
    case 'None':
      return { type, ...common, signed: false, renewSecret: false }
  }
}

/** Returns the fields of a stored trigger that requests have. */
export function inputOf(trigger: PipelineTrigger): TriggerInput {
  return triggerInput.parse(trigger)
}
