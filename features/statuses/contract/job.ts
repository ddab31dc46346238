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

/** One step of a job. */
export const componentStatus = z.object({
  eId: z.string().describe('Id of this execution of the step, unique within the job.'),
  prevEId: z.string().optional().describe('Id of the execution before it; absent for the first.'),
  component: z.string().describe('Name of the step, for example `ETL` or the name of a task.'),
  status: z.enum(jobStatuses).describe('Status of the step; INFO means success.'),
  message: z.string().describe('Message for users; can be empty.'),
  startTime: z.string().describe(`Start time, ${time}.`),
  endTime: z.string().optional().describe(`End time, ${time}; absent until it ends.`),
  payload: statusPayload,
})
/** One step of a job, as a type. */
export type ComponentStatus = z.infer<typeof componentStatus>

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
    .describe('The latest status of the job: status, message and its component (can be empty).'),
  warnStatuses: z.array(componentStatus).describe('Those of `componentStatuses` that are WARN.'),
  componentStatuses: z.array(componentStatus).describe('Steps, in the order of their start. Never null.'),
})
/** A job, as a type. */
export type Job = z.infer<typeof job>
