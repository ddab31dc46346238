import { z } from 'zod'
import { jobTypes, statusWords, triggerTypes } from './status-words.ts'

const time = 'ISO date-time in UTC without a zone, for example `2026-01-31T12:00:00`'

/** What a job or component is about; members that do not apply are absent. Never null. */
export const statusPayload = z
  .looseObject({
    groupName: z.string().optional().describe('Group of the pipeline, file or data prep.'),
    version: z.union([z.int(), z.string()]).optional().describe('Version of what ran.'),
    pipelineId: z.string().optional().describe('Id of the pipeline.'),
    nodeId: z.string().optional().describe('Id of the step within the pipeline.'),
    fileId: z.string().optional().describe('Id of the file that was uploaded.'),
    fileName: z.string().optional().describe('Name of the file.'),
    fileType: z.string().optional().describe('Type of the file, for example NCSV.'),
  })
  .describe('What it is about.')
export type StatusPayload = z.infer<typeof statusPayload>

/** One step of a job. */
export const componentStatus = z.object({
  eId: z.string().describe('Id of this execution of the step, unique within the job.'),
  prevEId: z.string().optional().describe('Id of the execution before it; absent for the first.'),
  component: z.string().describe('Name of the step, for example `ETL` or the name of a task.'),
  status: z.enum(statusWords).describe('How it is; INFO means that it ended well.'),
  message: z.string().describe('For people; empty when there is nothing to say.'),
  startTime: z.string().describe(`When it began, ${time}.`),
  endTime: z.string().optional().describe(`When it ended, ${time}; absent while it is not over.`),
  payload: statusPayload,
})
export type ComponentStatus = z.infer<typeof componentStatus>

/** A job: anything that runs, with its steps. */
export const job = z.object({
  jobId: z.string().describe('Id of the job, a lower-case UUID.'),
  name: z.string().describe('What ran: name of the pipeline or data prep; for ETL the name of the group.'),
  type: z.enum(jobTypes).describe('Kind of job.'),
  status: z
    .enum(statusWords)
    .describe('How the job is. It is over when `endTime` is there: COMPLETED, INFO, WARN or ERROR.'),
  startTime: z.string().describe(`When it began, ${time}.`),
  endTime: z.string().optional().describe(`When it ended, ${time}; absent while it is not over.`),
  version: z.int().optional().describe('Version of the pipeline or data prep; absent for ETL.'),
  rootId: z.string().optional().describe('Id that all versions of the pipeline share; absent for ETL.'),
  owner: z.string().describe('User name of who started it.'),
  payload: statusPayload,
  types: z.array(z.enum(triggerTypes)).describe('What started the job.'),
  latestStatus: componentStatus
    .pick({ status: true, message: true, component: true })
    .describe('The newest word of the job: status, message and the component that said it (may be empty).'),
  warnStatuses: z.array(componentStatus).describe('Those of `componentStatuses` that are WARN.'),
  componentStatuses: z.array(componentStatus).describe('Steps, in the order they began. Never null.'),
})
export type Job = z.infer<typeof job>
