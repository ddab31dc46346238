import { z } from 'zod'
import { defineRoute, pageOf, pageQuery, queryBoolean } from '@headwater/contract'
import { job, statusMessage } from './job.ts'
import { jobStatuses } from './job-status.ts'

/** Filters of the statuses page: the statuses that each selector stands for. */
export const statusSelectors = {
  onlyWarn: ['WARN'],
  onlyError: ['ERROR'],
  onlyRunning: ['RUNNING'],
  onlyPaused: ['PAUSED'],
} as const satisfies Record<string, readonly (typeof jobStatuses)[number][]>

const anyCaseStatus = z
  .string()
  .transform((text) => text.trim().toUpperCase())
  .pipe(z.enum(jobStatuses))

/** Route `GET /status`. */
export const searchStatuses = defineRoute({
  name: 'searchStatuses',
  method: 'GET',
  path: '/status',
  summary: 'Jobs of the caller and of groups that the caller can read, newest first.',
  permission: { resource: 'Statuses', mode: 'R' },
  allowsRunTokens: true,
  query: z.object({
    ...pageQuery(),
    query: z
      .string()
      .max(1000)
      .default('*')
      .describe('Search text for job and group names; `*` is a wildcard. A job id finds that job.'),
    aggregate: queryBoolean
      .default(false)
      .describe('Only the newest job of each pipeline, group (ETL) or data prep.'),
    type: z
      .string()
      .max(100)
      .optional()
      .describe('PIPELINE, ETL or DATAPREP, regardless of case, separated by commas. `group` means ETL.'),
    jobId: z
      .string()
      .max(100)
      .optional()
      .describe('Only this job. Empty or `None`: the newest ETL jobs of the caller.'),
    name: z.string().max(300).optional().describe('Only jobs with exactly this name.'),
    groupName: z.string().max(300).optional().describe('Only jobs of exactly this group.'),
    tag: z.string().max(300).optional().describe('Only pipelines with this tag.'),
    selector: z
      .string()
      .max(300)
      .optional()
      .describe('onlyWarn, onlyError, onlyRunning, onlyPaused or statuses, separated by commas.'),
    pipelineRootIds: z
      .string()
      .max(10_000)
      .optional()
      .describe('Only runs of these pipelines, as root ids separated by commas.'),
  }),
  output: pageOf(job),
})

/** Route `POST /status`. */
export const sendStatus = defineRoute({
  name: 'sendStatus',
  method: 'POST',
  path: '/status',
  summary:
    'Adds a message with a status to a step of a job; for scripts. Does not change the status of steps of a run. Without a job, starts a new one.',
  permission: 'signed-in',
  allowsRunTokens: true,
  allowsTestRuns: true,
  body: z.object({
    status: anyCaseStatus.describe(
      'A status, regardless of case. Outside a run, INFO, WARN and ERROR end the step; in a run, the step ends only when its script ends.',
    ),
    message: z.string().max(10_000).nullish().describe('Message for users, up to 10000 characters.'),
    jobId: z.string().max(100).nullish().describe('Id of the job; null or absent outside a run.'),
    eId: z.string().max(200).nullish().describe('Execution id of the step. Default: the header X-KH-E-ID.'),
    componentName: z
      .string()
      .max(300)
      .nullish()
      .describe('Name of a new step. Default `script`. Steps of a run keep their names.'),
    groupName: z
      .string()
      .max(300)
      .nullish()
      .describe(
        'Group of a new job. Only users who can read this group can read the status, even in a job of a different group.',
      ),
    className: z.string().max(100).nullish().describe('Kind of sender, for example `python`.'),
    time: z
      .string()
      .max(100)
      .nullish()
      .describe('Time of the sender. Ignored: the server uses its own time.'),
  }),
  output: z.object({
    jobId: z.string().describe('Id of the job that the status was added to.'),
    eId: z.string().describe('Execution id of the step that the status was added to.'),
    note: z
      .string()
      .optional()
      .describe(
        'Present if the message was counted but not stored, because its step or job reached a limit.',
      ),
  }),
  errors: ['jobNotFound', 'jobIdNotValid', 'tooManySteps', 'tooManySentJobs'],
})

/** Route `GET /status/:jobId/messages`. */
export const listStatusMessages = defineRoute({
  name: 'listStatusMessages',
  method: 'GET',
  path: '/status/:jobId/messages',
  summary:
    'Messages that scripts sent for the steps of a job, in order of arrival, except messages about groups that the caller cannot read.',
  permission: { resource: 'Statuses', mode: 'R' },
  params: z.object({ jobId: z.string().max(100).describe('Id of the job.') }),
  query: z.object({
    ...pageQuery(),
    eId: z.string().max(200).optional().describe('Only messages of the step with this execution id.'),
    status: anyCaseStatus.optional().describe('Only messages with this status, regardless of case.'),
  }),
  output: pageOf(
    statusMessage.extend({
      eId: z.string().describe('Execution id of the step that the message belongs to.'),
    }),
  ),
  errors: ['jobNotReadable'],
})
