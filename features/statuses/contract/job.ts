import { z } from 'zod'
import { jobTypes, jobStatuses, triggerTypes } from './job-status.ts'

const time = 'ISO date-time in UTC without a zone, for example `2026-01-31T12:00:00`'

/** The object of a job or component; fields that do not apply are absent. Never null. */
export const statusPayload = z
  .looseObject({
    groupName: z.string().optional().describe('Group of the pipeline, file or data prep.'),
    version: z.union([z.int(), z.string()]).optional().describe('Version of the pipeline or data prep.'),
    pipelineId: z.string().optional().describe('Id of the pipeline.'),
    nodeId: z.string().optional().describe('Id of the step within the pipeline.'),
    fileId: z.string().optional().describe('Id of the file that was uploaded.'),
    fileName: z.string().optional().describe('Name of the file.'),
    fileType: z.string().optional().describe('Type of the file, for example NCSV.'),
  })
  .describe('The object of the job or component.')
/** The object of a job or component, as a type. */
export type StatusPayload = z.infer<typeof statusPayload>

/** A message of a step, sent by a script. */
export const statusMessage = z.object({
  time: z.string().describe(`Time of its arrival, ${time}.`),
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
  prevEId: z.string().optional().describe('Id of the execution before it; absent for the first.'),
  component: z
    .string()
    .describe(
      'Name of the step, for example `ETL` or the name of a task. `Hidden` for a step with data of a group that the caller cannot read: then only its status and times are set.',
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
      'Messages that scripts sent for the step, in the order of their arrival. Of one requested job the newest 200 and the newest 100 warnings; in lists the newest 10, shortened to 1000 characters. Absent without messages.',
    ),
  messageCount: z
    .int()
    .min(0)
    .optional()
    .describe(
      'Number of messages sent for the step, including those that are not stored. Absent without messages.',
    ),
  warnCount: z.int().min(0).optional().describe('How many of them are warnings.'),
  errorCount: z.int().min(0).optional().describe('How many of them are errors.'),
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
  .extend({ warnStatuses: z.array(componentStatus).describe('Warnings of the step, in their order.') })
/** What clients show of a step, as a type. */
export type StatusRow = z.infer<typeof statusRow>

/** A job: anything that runs, with its steps. */
export const job = z.object({
  jobId: z.string().describe('Id of the job, a lower-case UUID.'),
  name: z.string().describe('Name of the pipeline or data prep; for ETL the name of the group.'),
  type: z.enum(jobTypes).describe('Kind of job.'),
  status: z
    .enum(jobStatuses)
    .describe('Status of the job. A job with `endTime` has ended: COMPLETED, INFO, WARN or ERROR.'),
  startTime: z.string().describe(`Start time, ${time}.`),
  endTime: z.string().optional().describe(`End time, ${time}; absent until it ends.`),
  version: z.int().optional().describe('Version of the pipeline or data prep; absent for ETL.'),
  rootId: z.string().optional().describe('Id that all versions of the pipeline share; absent for ETL.'),
  owner: z.string().describe('User name of the user who started it.'),
  payload: statusPayload,
  types: z.array(z.enum(triggerTypes)).describe('Triggers of the job.'),
  latestStatus: componentStatus
    .pick({ status: true, message: true, component: true })
    .describe(
      'The latest status of the job: status, message and its component, which can be empty, or `Hidden` as in a step.',
    ),
  warnStatuses: z
    .array(componentStatus)
    .describe(
      'Steps that are WARN, and warnings of scripts among `messages`: with eId and name of their step, and their own message and time.',
    ),
  warnCount: z
    .int()
    .min(0)
    .describe(
      'Number of warnings: steps that are WARN, and warnings of scripts, including those that are not stored.',
    ),
  errorCount: z.int().min(0).describe('Number of errors, counted like warnings.'),
  componentStatuses: z.array(componentStatus).describe('Steps, in the order of their start. Never null.'),
})
/** A job, as a type. */
export type Job = z.infer<typeof job>
