import { z } from 'zod'
import { jobTypes, jobStatuses, triggerTypes } from './job-status.ts'

const time = 'ISO date-time in UTC without a zone, for example `2026-01-31T12:00:00`'

/** The object that a job or component refers to. Fields that do not apply are absent. Never null. */
export const statusPayload = z
  .looseObject({
    groupName: z.string().optional().describe('Group of the pipeline, file or data prep.'),
    version: z.union([z.int(), z.string()]).optional().describe('Version of the pipeline or data prep.'),
    pipelineId: z.string().optional().describe('Id of the pipeline.'),
    nodeId: z.string().optional().describe('Id of the step within the pipeline.'),
    fileId: z.string().optional().describe('Id of the uploaded file.'),
    fileName: z.string().optional().describe('Name of the file.'),
    fileType: z.string().optional().describe('Type of the file, for example NCSV.'),
  })
  .describe('The object that the job or component refers to.')
/** The object of a job or component, as a type. */
export type StatusPayload = z.infer<typeof statusPayload>

/** A message of a step, sent by a script. */
export const statusMessage = z.object({
  time: z.string().describe(`Time of arrival, ${time}.`),
  status: z
    .enum(jobStatuses)
    .describe('Status of the message; it does not change the status of a step of a run.'),
  message: z.string().describe('Message for users; can be empty.'),
})
/** A message of a step, as a type. */
export type StatusMessage = z.infer<typeof statusMessage>

/** One step of a job. */
export const componentStatus = z.object({
  eId: z.string().describe('Id of this execution of the step, unique within the job.'),
  prevEId: z.string().optional().describe('Id of the previous execution; absent for the first one.'),
  component: z
    .string()
    .describe(
      'Name of the step, for example `ETL` or a task name. `Hidden` for a step with data of a group that the caller cannot read; in this case only its status and times are set.',
    ),
  status: z.enum(jobStatuses).describe('Status of the step; INFO means success.'),
  message: z.string().describe('Message for users; can be empty.'),
  startTime: z.string().describe(`Start time, ${time}.`),
  endTime: z.string().optional().describe(`End time, ${time}; absent until it ends.`),
  payload: statusPayload,
  messages: z
    .array(statusMessage)
    .optional()
    .describe(
      'Messages that scripts sent for the step, in order of arrival. For a single requested job: the newest 200 messages and the newest 100 warnings. In lists: the newest 10 messages and the newest 10 warnings, shortened to 1000 characters. Absent if there are none.',
    ),
  messageCount: z
    .int()
    .min(0)
    .optional()
    .describe(
      'Number of messages sent for the step, including those that were not stored. Absent if there are none.',
    ),
  warnCount: z.int().min(0).optional().describe('Number of warnings among them.'),
  errorCount: z.int().min(0).optional().describe('Number of errors among them.'),
})
/** One step of a job, as a type. */
export type ComponentStatus = z.infer<typeof componentStatus>

/** Status of a step as clients display it, with its warnings. */
export const statusRow = componentStatus
  .pick({
    eId: true,
    prevEId: true,
    status: true,
    startTime: true,
    endTime: true,
    message: true,
    component: true,
    payload: true,
  })
  .extend({ warnStatuses: z.array(componentStatus).describe('Warnings of the step, in order.') })
/** Status of a step as clients display it, as a type. */
export type StatusRow = z.infer<typeof statusRow>

/** A job: anything that runs, with its steps. */
export const job = z.object({
  jobId: z.string().describe('Id of the job, a lower-case UUID.'),
  name: z.string().describe('Name of the pipeline or data prep; for ETL, name of the group.'),
  type: z.enum(jobTypes).describe('Kind of job.'),
  status: z
    .enum(jobStatuses)
    .describe('Status of the job. A job with `endTime` has ended: COMPLETED, INFO, WARN or ERROR.'),
  startTime: z.string().describe(`Start time, ${time}.`),
  endTime: z.string().optional().describe(`End time, ${time}; absent until it ends.`),
  version: z.int().optional().describe('Version of the pipeline or data prep; absent for ETL.'),
  rootId: z.string().optional().describe('Id that all versions of the pipeline share; absent for ETL.'),
  owner: z.string().describe('Name of the user who started the job.'),
  payload: statusPayload,
  types: z.array(z.enum(triggerTypes)).describe('Triggers of the job.'),
  latestStatus: componentStatus
    .pick({ status: true, message: true, component: true })
    .describe(
      'The latest status of the job: status, message and component. The component can be empty, or `Hidden` as for steps.',
    ),
  warnStatuses: z
    .array(componentStatus)
    .describe(
      'Steps with the status WARN and the warnings among the `messages` of scripts, each with the eId and name of its step and its own message and time.',
    ),
  warnCount: z
    .int()
    .min(0)
    .describe(
      'Number of warnings: steps with the status WARN and warnings of scripts, including those that were not stored.',
    ),
  errorCount: z.int().min(0).describe('Number of errors, counted like warnings.'),
  componentStatuses: z
    .array(componentStatus)
    .describe('Steps in the order in which they started. Never null.'),
})
/** A job, as a type. */
export type Job = z.infer<typeof job>
