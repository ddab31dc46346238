import { z } from 'zod'
import { defineRoute, isCalendarDate, pageOf, pageQuery, utcDate } from '@headwater/contract'
import { jobStatuses, triggerTypes } from '@headwater/statuses/contract'
import { isTimeZone, localDate } from '@headwater/zones'
import { pipelineId } from '@headwater/pipelines/contract'

/** Permission to see the monitor. */
const readsMonitor = { resource: 'Science/Monitor', mode: 'R' } as const

/** Maximum number of matching runs that the list of runs counts and returns. */
export const maxListedRuns = 10_000
/** Maximum number of days of the history of a pipeline. */
export const maxHistoryDays = 366

const defaultHistoryDays = 30
const dayMs = 86_400_000

const time = 'ISO 8601 in UTC without a zone'
const status = z.enum(jobStatuses)
const instant = z
  .string()
  .max(40)
  .refine(
    (text) => /^\d{4}-/.test(text) && !Number.isNaN(Date.parse(text)),
    'Write date and time as 2026-01-31T08:00:00Z.',
  )
const date = z
  .string()
  .refine(isDate, 'Enter the date as 2026-01-31.')
  .describe('Local date, for example `2026-01-31`.')

/** A run in a list. */
export const listedRun = z.object({
  jobId: z.string().describe('Id of the job of the run.'),
  name: z.string().describe('Name of the pipeline or task.'),
  groupName: z.string().describe('Group of the pipeline; empty without a group.'),
  pipelineId: z.string().nullable().describe('Id of the pipeline; null for a single task.'),
  version: z.int().nullable().describe('Version of the pipeline; null for a single task.'),
  status: status.describe('Status of the run; INFO means success.'),
  message: z.string().describe('Latest message; can be empty.'),
  owner: z.string().describe('Name of the user whose access the run has.'),
  types: z
    .array(z.enum(triggerTypes))
    .describe('Types of the triggers; `None` means that a user started it.'),
  backfillDate: z
    .string()
    .nullable()
    .describe('Date for which a backfill started the run, `2026-01-31`; null for other runs.'),
  succeededSince: z
    .boolean()
    .describe('Whether the run ended with ERROR or WARN and a later run of the same pipeline succeeded.'),
  tags: z.array(z.string()).describe('Tags that the pipeline had at the start.'),
  startTime: z.string().describe(`Start, ${time}.`),
  endTime: z.string().nullable().describe(`End, ${time}; null until it ends.`),
})
/** A run in a list. */
export type ListedRun = z.output<typeof listedRun>

/** Lists runs. */
export const listRuns = defineRoute({
  name: 'listRuns',
  method: 'GET',
  path: '/mgmt/run',
  summary:
    'Runs of pipelines and single tasks, started by the caller or in readable groups; at most the first 10,000 matches.',
  permission: readsMonitor,
  query: z.object({
    ...pageQuery(),
    query: z
      .string()
      .max(300)
      .default('')
      .describe('Text in the name of the pipeline or group; `*` is a wildcard. Default: all.'),
    tag: z.string().max(100).optional().describe('Only pipelines with this tag. Default: all.'),
    pipelineId: z.string().max(64).optional().describe('Only runs of this pipeline. Default: all.'),
    status: z
      .string()
      .max(100)
      .transform((text) =>
        text
          .toUpperCase()
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean),
      )
      .pipe(z.array(status))
      .optional()
      .describe('Only these statuses, separated by commas, for example `ERROR,WARN`. Default: all.'),
    startedFrom: instant.optional().describe('Only runs that started at this time or later. Default: all.'),
    startedBefore: instant.optional().describe('Only runs that started before this time. Default: all.'),
    sortBy: z
      .enum(['failures', 'start'])
      .default('failures')
      .describe(
        'failures: runs that ended with ERROR or WARN first, unless a later run of the same pipeline succeeded, then paused runs, then the others; each part newest first. start: newest first. Default failures.',
      ),
  }),
  output: pageOf(listedRun).extend({
    isTotalLimited: z
      .boolean()
      .describe('Whether more runs match than `totalSize`, the maximum. A shorter period has fewer.'),
  }),
})

const runAttempt = z.object({
  attempt: z.int().describe('Number of the attempt, counted from 1.'),
  startTime: z.string().describe(`Start, ${time}.`),
  endTime: z.string().nullable().describe(`End, ${time}; null while it runs, or if its worker was lost.`),
  status: status.nullable().describe('Result; RUNNING while it runs; null if its worker was lost.'),
  message: z.string().describe('Message of the result, up to 2000 characters; can be empty.'),
})

const runDecision = z.object({
  time: z.string().describe(`Time of the decision, ${time}.`),
  isApproved: z.boolean().describe('Whether the task was approved; otherwise it was declined.'),
  userName: z.string().nullable().describe('Name of the user; null if the account no longer exists.'),
  approveTime: z
    .string()
    .nullable()
    .describe('Time of the decision according to the client; null if the client sent none.'),
})

/** A step of a run. */
export const runStep = z.object({
  nodeId: z.string().describe('Id of the task within the pipeline.'),
  eId: z.string().describe('Id of the execution in statuses and logs.'),
  name: z.string().describe('Name within the pipeline.'),
  taskName: z.string().describe('Name of the task.'),
  isApproval: z
    .boolean()
    .describe(
      'Whether only approvers and administrators decide about it; continuing the run does not start it.',
    ),
  canDecide: z
    .boolean()
    .describe(
      'Whether the caller can approve or decline the step now: as an approver who has not decided, or as an administrator.',
    ),
  openApprovers: z
    .array(z.string())
    .describe('E-mail addresses of the approvers who have not decided yet, while the step waits for them.'),
  unableApprovers: z
    .array(z.string())
    .describe(
      'Those of `openApprovers` who cannot decide, because their account is inactive or lacks access.',
    ),
  after: z.array(z.string()).describe('Ids of the tasks that had to finish first.'),
  status: status.describe('Status of the step; INFO means success.'),
  message: z.string().describe('Message of the result; can be empty.'),
  startTime: z.string().nullable().describe(`Start of the first attempt, ${time}; null before it.`),
  endTime: z.string().nullable().describe(`End, ${time}; null until it ends.`),
  attempts: z.array(runAttempt).describe('Attempts in their order.'),
  decisions: z.array(runDecision).describe('Decisions of users, in their order.'),
})
/** A step of a run. */
export type RunStep = z.output<typeof runStep>

/** Returns a run. */
export const getRun = defineRoute({
  name: 'getRun',
  method: 'GET',
  path: '/mgmt/run/:jobId',
  summary: 'A run with its steps, their attempts and the decisions about them.',
  permission: readsMonitor,
  params: z.object({ jobId: z.string().max(64).describe('Id of the job of the run.') }),
  output: z.object({
    run: listedRun.describe('The run.'),
    pipeline: z
      .object({
        name: z.string().describe('Present name; a pipeline can be renamed after the run.'),
        groupName: z.string().describe('Present group.'),
      })
      .nullable()
      .describe(
        'The pipeline of the run; null for a single task, and if the caller cannot read the pipeline.',
      ),
    steps: z.array(runStep).describe('Steps in the order of their numbers; none if the run did not start.'),
    canControl: z
      .boolean()
      .describe('Whether the caller can stop, continue, decide and repeat it, with the permission to do so.'),
  }),
  errors: ['runNotReadable'],
})

/** Returns the history of a pipeline. */
export const getPipelineHistory = defineRoute({
  name: 'getPipelineHistory',
  method: 'GET',
  path: '/mgmt/pipeline/:pipelineId/history',
  summary: 'Results of the tasks of a pipeline by date: for each date those of its last run.',
  permission: readsMonitor,
  params: pipelineId,
  query: z
    .object({
      from: date
        .optional()
        .describe('First local date, for example `2026-01-01`. Default 29 days before the last one.'),
      to: date
        .optional()
        .describe('Last local date, included; at most 366 dates after the first. Default today.'),
      timeZone: z
        .string()
        .trim()
        .max(100)
        .refine(isTimeZone, 'This time zone is unknown. Use an IANA name such as Europe/Berlin.')
        .default('UTC')
        .describe('IANA time zone of the dates. Default UTC.'),
    })
    .transform((given) => ({ ...given, ...historyPeriod(given) }))
    .refine(({ from, to }) => from <= to && Date.parse(to) - Date.parse(from) < maxHistoryDays * dayMs, {
      message: `Choose 1 to ${maxHistoryDays} dates, the first before the last.`,
      path: ['to'],
    }),
  output: z.object({
    tasks: z
      .array(
        z.object({
          nodeId: z.string().describe('Id of the task within the pipeline.'),
          name: z.string().describe('Name in the newest of the runs that have it.'),
        }),
      )
      .describe('Tasks of the runs, those of the newest run first.'),
    dates: z
      .array(
        z.object({
          date: z.string().describe('Local date.'),
          jobId: z.string().describe('Job of the last run of the date.'),
          status: status.describe('Status of the last run of the date.'),
          runs: z.int().describe('Number of runs of the date.'),
          failed: z.int().describe('Number of them that ended with WARN or ERROR.'),
          stopped: z.int().describe('Number of failed runs that a user stopped.'),
          isStopped: z.boolean().describe('Whether a user stopped the last run of the date.'),
          cells: z
            .array(status.nullable())
            .describe(
              'Status of each task in the last run, in the order of `tasks`; null if the run did not have the task.',
            ),
          stoppedCells: z
            .array(z.boolean())
            .describe('Whether a user stopped each task of the last run, in the order of `tasks`.'),
        }),
      )
      .describe('Dates with runs, in chronological order.'),
  }),
  errors: ['pipelineNotFound'],
})

function isDate(text: string): boolean {
  return /^(?:19|20|21|22)/.test(text) && isCalendarDate(text)
}

/** Returns the dates of a history with their defaults. */
function historyPeriod({
  from,
  to,
  timeZone,
}: {
  from?: string | undefined
  to?: string | undefined
  timeZone: string
}): { from: string; to: string } {
  const last = to ?? todayIn(timeZone)
  return { to: last, from: from ?? utcDate(Date.parse(last) - (defaultHistoryDays - 1) * dayMs) }
}

function todayIn(timeZone: string): string {
  const now = new Date()
  // An unknown zone has its own error.
  return isTimeZone(timeZone) ? localDate(now, timeZone) : utcDate(now)
}
