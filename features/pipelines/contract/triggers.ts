import { z } from 'zod'
import { isPlainLine, notPlainLine } from '@headwater/contract'
import { clockTime, localMinute } from './trigger-times.ts'

/** Maximum number of triggers of one pipeline. */
export const maxTriggers = 20
/** Maximum length of a trigger name, in characters. */
const maxNameLength = 200

/** Policies for occurrences of a schedule that no server started in time. */
export const missedRunPolicies = ['ONCE', 'SKIP', 'ALL'] as const

/** Results of a run. */
export const runResults = ['INFO', 'WARN', 'ERROR'] as const

const common = {
  id: z
    .string()
    .max(64)
    .optional()
    .describe(
      'Id of the trigger. A trigger without an id is added; triggers that a request omits are deleted.',
    ),
  name: z
    .string()
    .trim()
    .max(maxNameLength)
    .refine(isPlainLine, notPlainLine)
    .default('')
    .describe('Name for users. Default: empty.'),
  active: z.boolean().default(true).describe('Whether the trigger starts runs. Default true.'),
  becomeOwner: z
    .boolean()
    .default(false)
    .describe(
      'Whether the caller becomes the owner even if nothing changed, for example after a review. The owner of a changed trigger is always the caller. Default false.',
    ),
}

const missedRuns = z
  .enum(missedRunPolicies)
  .default('ONCE')
  .describe(
    'Policy for occurrences while no server was running. ONCE: the first one runs late; SKIP: none run; ALL: those of the last 24 hours run in sequence. Default ONCE.',
  )

const timeZone = z.string().trim().min(1).max(100).default('UTC').describe('IANA time zone. Default UTC.')
const holidayCalendar = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .nullish()
  .describe('Holiday calendar, as listed by GET /ts/holidayCalendar. Default: none.')

/** Rule of a trigger that repeats at a constant interval. */
export const intervalRule = z.object({
  kind: z.literal('INTERVAL').describe('Occurrences at a constant interval from a start.'),
  every: z.int().min(1).max(10_000).describe('Number of units between occurrences, 1 to 10,000.'),
  unit: z
    .enum(['MINUTES', 'HOURS', 'DAYS', 'WEEKS'])
    .describe(
      'Unit of `every`. Minutes and hours elapse in real time; days and weeks keep the local time of `start`.',
    ),
  start: localMinute.describe('First occurrence as local time, for example `2026-01-31T08:00`.'),
})

/** Rule of a trigger that repeats on certain days. */
export const calendarRule = z.object({
  kind: z.literal('CALENDAR').describe('Occurrences at given times on certain days.'),
  times: z.array(clockTime).min(1).max(24).describe('Local times, for example `07:00`; 1 to 24 times.'),
  days: z
    .enum([
      'EVERY_DAY',
      'WEEKDAYS',
      'BUSINESS_DAYS',
      'FIRST_DAY_OF_MONTH',
      'LAST_DAY_OF_MONTH',
      'FIRST_BUSINESS_DAY_OF_MONTH',
      'LAST_BUSINESS_DAY_OF_MONTH',
    ])
    .describe(
      'Days on which the trigger fires. WEEKDAYS: the days in `weekdays`. Business days are neither holidays nor weekend days of the holiday calendar; without a calendar, they are Monday to Friday.',
    ),
  weekdays: z
    .array(z.int().min(1).max(7))
    .max(7)
    .default([])
    .describe('Days of the week for WEEKDAYS, 1 = Monday to 7 = Sunday. Default: none.'),
})

const rule = z
  .discriminatedUnion('kind', [intervalRule, calendarRule])
  .refine(
    (given) => given.kind === 'INTERVAL' || given.days !== 'WEEKDAYS' || given.weekdays.length > 0,
    'Choose at least one day of the week.',
  )

/** Trigger types of the inputs, each with its own fields. */
const cronInput = z.object({
  type: z.literal('CRON').describe('Runs at the times of a cron expression.'),
  ...common,
  cron: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .describe('Minute, hour, day of the month, month and weekday, for example `0 7 * * 1-5`.'),
  timeZone,
  holidayCalendar: holidayCalendar.describe(
    'Holiday calendar. The trigger does not fire on its holidays and weekends. GET /ts/holidayCalendar lists the calendars. Default: none.',
  ),
  missedRuns,
})

const schedulerInput = z.object({
  type: z.literal('SCHEDULER').describe('Runs at the times of a rule.'),
  ...common,
  rule: rule.describe('Rule for an interval or a calendar.'),
  timeZone,
  holidayCalendar,
  onFreeDay: z
    .enum(['RUN', 'SKIP', 'NEXT_BUSINESS_DAY', 'PREVIOUS_BUSINESS_DAY'])
    .default('RUN')
    .describe(
      'Policy for occurrences on non-business days: they run, are skipped, or move to the next or previous business day. Occurrences of intervals in minutes or hours are skipped instead of moved. Default RUN.',
    ),
  missedRuns,
})

const fileArrivalInput = z.object({
  type: z.literal('FILEARRIVAL').describe('Runs once for each version of a file that becomes ready.'),
  ...common,
  groupName: z.string().trim().min(1, 'Choose a group.').max(300).describe('Group of the files.'),
  namePattern: z
    .string()
    .trim()
    .min(1)
    .max(300)
    .default('*')
    .describe('Pattern for file names, regardless of case; `*` matches any characters. Default: all files.'),
})

const pipelineEndInput = z.object({
  type: z.literal('PIPELINE').describe('Runs whenever a run of a different pipeline ends.'),
  ...common,
  pipelineId: z.string().min(1).max(64).describe('Id of the other pipeline.'),
  statuses: z
    .array(z.enum(runResults))
    .min(1, 'Choose at least one status.')
    .max(3)
    .default(['INFO'])
    .describe('Statuses that the run can end with to fire the trigger. Default INFO, which means success.'),
})

const retryInput = z.object({
  type: z
    .literal('RETRY')
    .describe('Repeats failed runs of this pipeline. Runs that a user stopped are not repeated.'),
  ...common,
  attempts: z
    .int()
    .min(1)
    .max(20)
    .default(3)
    .describe('Maximum number of repetitions per run, 1 to 20. Default 3.'),
  delaySeconds: z
    .int()
    .min(0)
    .max(86_400)
    .default(60)
    .describe('Pause before the first repetition, in seconds, 0 to 86,400. Default 60.'),
  backoff: z
    .number()
    .min(1)
    .max(10)
    .default(2)
    .describe(
      'Factor by which the pause grows with each repetition, 1 to 10. A pause is at most one day. Default 2.',
    ),
  statuses: z
    .array(z.enum(['WARN', 'ERROR']))
    .min(1, 'Choose at least one status.')
    .max(2)
    .default(['ERROR'])
    .describe('Statuses of failed runs. Default ERROR.'),
})

const emailInput = z.object({
  type: z.literal('EMAIL').describe('Runs once for each e-mail to the address of the trigger.'),
  ...common,
  allowedSenders: z
    .array(
      z
        .string()
        .trim()
        .toLowerCase()
        .min(3)
        .max(320)
        .includes('@', { message: 'Write an address, or *@example.com.' }),
    )
    .min(1, 'Add at least one sender.')
    .max(50)
    .describe('Addresses of allowed senders; `*` matches any characters, for example `*@example.com`.'),
  subjectPattern: z
    .string()
    .trim()
    .min(1)
    .max(300)
    .default('*')
    .describe('Pattern for subjects, regardless of case; `*` matches any characters. Default: all e-mails.'),
  attachmentsGroupName: z
    .string()
    .trim()
    .min(1)
    .max(300)
    .nullish()
    .describe('Group in which attachments are stored as files. Default: attachments are not stored.'),
})

const webhookInput = z.object({
  type: z
    .literal('None')
    .describe('Runs when a program calls the URL of the webhook. The runs have the type None.'),
  ...common,
  signed: z
    .boolean()
    .default(false)
    .describe('Whether calls need a signature, which also protects against replays. Default false.'),
  renewSecret: z
    .boolean()
    .default(false)
    .describe('Whether to replace the URL and the signing key; the old ones stop working. Default false.'),
})

/** Schema of the triggers of each type, for forms. */
export const triggerSchemas = {
  CRON: cronInput,
  SCHEDULER: schedulerInput,
  FILEARRIVAL: fileArrivalInput,
  PIPELINE: pipelineEndInput,
  RETRY: retryInput,
  EMAIL: emailInput,
  None: webhookInput,
} as const

/** A trigger as clients send it. */
export const triggerInput = z.discriminatedUnion('type', [
  cronInput,
  schedulerInput,
  fileArrivalInput,
  pipelineEndInput,
  retryInput,
  emailInput,
  webhookInput,
])
/** A trigger as clients send it. */
export type TriggerInput = z.output<typeof triggerInput>

const time = 'ISO 8601 in UTC without a zone'
const stored = {
  id: z.string().describe('Id of the trigger.'),
  owner: z.string().describe('Name of the owner. Runs have the access of this user.'),
  setAt: z.string().describe(`Time of the last change, ${time}.`),
  nextRun: z
    .string()
    .nullable()
    .describe(`Time of the next run, ${time}; null if it is not known in advance.`),
  lastRun: z
    .object({
      at: z.string().describe(`Time of the event or occurrence, ${time}.`),
      jobId: z.string().describe('Job of the run.'),
    })
    .nullable()
    .describe('The last run; null before the first one.'),
}

/** A trigger of a pipeline. */
export const pipelineTrigger = z.discriminatedUnion('type', [
  cronInput.extend(stored),
  schedulerInput.extend(stored),
  fileArrivalInput.extend(stored),
  pipelineEndInput.extend({
    ...stored,
    pipelineName: z.string().nullable().describe('Name of the other pipeline; null if it has been deleted.'),
  }),
  retryInput.extend(stored),
  emailInput.extend({
    ...stored,
    address: z
      .string()
      .nullable()
      .describe('Secret e-mail address of the trigger; null if this server receives no e-mails.'),
  }),
  webhookInput.extend({
    ...stored,
    path: z
      .string()
      .nullable()
      .describe(
        'Path of the webhook on this server, including its secret; null except in the response that creates it.',
      ),
    signingKey: z
      .string()
      .nullable()
      .describe('Signing key of a signed webhook; null except in the response that creates it.'),
  }),
])
/** A trigger of a pipeline. */
export type PipelineTrigger = z.output<typeof pipelineTrigger>

/** Body of the request that sets the triggers of a pipeline. */
export const schedulerTriggers = z
  .array(triggerInput)
  .max(maxTriggers, `A pipeline can have at most ${maxTriggers} triggers.`)
  .refine((triggers) => {
    const ids = triggers.flatMap(({ id }) => id?.trim().toLowerCase() ?? [])
    return new Set(ids).size === ids.length
  }, 'Two triggers have the same id.')
