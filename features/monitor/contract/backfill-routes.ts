import { z } from 'zod'
import { defineRoute } from '@headwater/contract'
import { pipelineId, readsPipelines, runResults, writesPipelines } from '@headwater/pipelines/contract'

/** Maximum number of dates of one backfill. */
export const maxBackfillDates = 1000

const date = z.iso
  .date('Enter the date as 2026-01-31.')
  .refine((text) => text >= '1900-01-01', 'Choose a date from 1900-01-01.')
const time = 'ISO 8601 in UTC without a zone'

/** Schema of a request to run a pipeline for each date of a range. */
export const backfillInput = z
  .object({
    version: z.int().min(1).optional().describe('Version of the pipeline. Default: the newest.'),
    from: date.describe('First date, from `1900-01-01`, for example `2026-01-01`.'),
    to: date.describe('Last date, at most 1000 days after the first one.'),
    weekdays: z
      .array(z.int().min(1).max(7))
      .min(1, 'Choose at least one day of the week.')
      .max(7)
      .default([1, 2, 3, 4, 5, 6, 7])
      .describe('Days of the week that get a run, 1 = Monday to 7 = Sunday. Default: all.'),
    order: z
      .enum(['OLDEST_FIRST', 'NEWEST_FIRST'])
      .default('OLDEST_FIRST')
      .describe('Order in which runs start. Default OLDEST_FIRST.'),
    skipDone: z
      .boolean()
      .default(false)
      .describe(
        'Leaves out dates for which a run of an earlier backfill ended with INFO. Dates with WARN or ERROR run again. Default false.',
      ),
    maxParallel: z
      .int()
      .min(1)
      .max(10)
      .default(1)
      .describe('Maximum number of runs of the backfill in progress at the same time, 1 to 10. Default 1.'),
    dryRun: z.boolean().default(false).describe('Returns the dates and starts nothing. Default false.'),
  })
  .refine(({ from, to }) => from <= to, {
    error: 'The last date is before the first one.',
    path: ['to'],
  })
  .refine(({ from, to }) => (Date.parse(to) - Date.parse(from)) / 86_400_000 < maxBackfillDates, {
    error: `A backfill can have at most ${maxBackfillDates} dates. Choose a shorter range.`,
    path: ['to'],
  })
/** A request to run a pipeline for each date of a range. */
export type BackfillInput = z.output<typeof backfillInput>

const reason = z.string().nullable().describe('Why the date has no run; null if it gets one.')

/** Schema of a backfill of a pipeline. */
export const backfill = z.object({
  id: z.string().describe('Id of the backfill.'),
  version: z.int().describe('Version of the pipeline that runs.'),
  userName: z.string().describe('User who started it; runs have the access of this user.'),
  state: z
    .enum(['RUNNING', 'ENDED', 'CANCELLED', 'FAILED'])
    .describe('RUNNING; ENDED: all runs have ended; CANCELLED by a user; FAILED: a run could not start.'),
  message: z.string().describe('Why it failed; otherwise empty.'),
  from: z.string().describe('First date of the range, for example `2026-01-01`.'),
  to: z.string().describe('Last date of the range.'),
  createdAt: z.string().describe(`Start, ${time}.`),
  endedAt: z.string().nullable().describe(`End, ${time}; null while it is running.`),
  maxParallel: z.int().describe('Maximum number of runs in progress at the same time.'),
  total: z.int().describe('Number of dates that get a run.'),
  started: z.int().describe('Number of runs that have started.'),
  ended: z.int().describe('Number of runs that have ended.'),
  failed: z.int().describe('Number of runs that ended with ERROR.'),
  warned: z.int().describe('Number of runs that ended with WARN.'),
})
/** A backfill of a pipeline. */
export type Backfill = z.output<typeof backfill>

const backfillId = pipelineId.extend({ backfillId: z.string().max(64).describe('Id of the backfill.') })

/** Starts a backfill. */
export const startBackfill = defineRoute({
  name: 'startBackfill',
  method: 'POST',
  path: '/mgmt/pipeline/:pipelineId/backfill',
  summary:
    'Starts one run of a pipeline for each date of a range, with the access of the caller. Tasks refer to the date with `${trigger.date}`. The backfill continues after a restart of the server. Its runs have the priority -10.',
  permission: writesPipelines,
  params: pipelineId,
  body: backfillInput,
  output: z.object({
    id: z.string().nullable().describe('Id of the backfill; null for a dry run.'),
    dates: z
      .array(z.object({ date: z.string().describe('Date, `2026-01-31`.'), reason }))
      .describe('All dates of the range, in the order of their runs.'),
  }),
  errors: ['pipelineNotFound', 'pipelineInvalid', 'backfillRunning', 'backfillEmpty'],
})

/** Lists the backfills of a pipeline. */
export const listBackfills = defineRoute({
  name: 'listBackfills',
  method: 'GET',
  path: '/mgmt/pipeline/:pipelineId/backfill',
  summary: 'The last 50 backfills of a pipeline, newest first, with their progress.',
  permission: readsPipelines,
  params: pipelineId,
  output: z.object({ items: z.array(backfill).describe('Backfills, newest first.') }),
  errors: ['pipelineNotFound'],
})

/** Returns a backfill. */
export const getBackfill = defineRoute({
  name: 'getBackfill',
  method: 'GET',
  path: '/mgmt/pipeline/:pipelineId/backfill/:backfillId',
  summary: 'Progress of a backfill, with the run of each date.',
  permission: readsPipelines,
  params: backfillId,
  output: backfill.extend({
    dates: z
      .array(
        z.object({
          date: z.string().describe('Date, `2026-01-31`.'),
          reason,
          jobId: z.string().nullable().describe('Job of its run; null before the start.'),
          status: z.enum(runResults).nullable().describe('Result of its run; null before the end.'),
        }),
      )
      .describe('All dates of the range, in the order of their runs.'),
  }),
  errors: ['pipelineNotFound', 'backfillNotFound'],
})

/** Cancels a backfill. */
export const cancelBackfill = defineRoute({
  name: 'cancelBackfill',
  method: 'POST',
  path: '/mgmt/pipeline/:pipelineId/backfill/:backfillId/cancel',
  summary:
    'Cancels a backfill: stops its runs and starts no others. Only the user who started it and administrators can cancel it.',
  permission: writesPipelines,
  params: backfillId,
  output: z.object({}),
  errors: ['pipelineNotFound', 'backfillNotFound'],
})
