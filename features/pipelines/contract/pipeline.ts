import { z } from 'zod'
import { isPlainLine, isRecord, notPlainLine, objectName, parseJson } from '@headwater/contract'
import { errorClasses } from '@headwater/runs/contract'
import { branches, paramMode, paramTypes, paramValue } from '@headwater/tasks/contract'
import { triggerTypes } from '@headwater/statuses/contract'

/** Maximum number of tasks of one pipeline. */
export const maxPipelineTasks = 500
/** Name of the task that runs its pipeline on a schedule; its parameters are `cron` and `timeZone`. */
export const cronTriggerName = 'cron-trigger'
/** Name of the task that runs a different pipeline. */
export const subPipelineTaskName = 'run-pipeline'
/** Name of the task that runs a different pipeline for each item. */
export const loopTaskName = 'for-each'
/** Maximum length of the payload of a pipeline, in characters. */
export const maxPayloadLength = 1_000_000

/** Value that a pipeline sets for a parameter of a task. */
export const pipelineParam = z.object({
  name: z.string().trim().min(1).max(200).describe('Name of the parameter of the task.'),
  type: z.enum(paramTypes).default('INPUT').describe('INPUT or OUTPUT. Default INPUT.'),
  value: paramValue
    .default('')
    .describe(
      'Value of the parameter. If an output and inputs of other tasks have the same reference `${uuid}`, the inputs receive the value of the output.',
    ),
  mode: paramMode,
})

const taskInPipeline = z.object({ id: z.string().max(100).describe('Id of a task of the pipeline.') })
const previousTask = taskInPipeline.extend({
  branch: z
    .enum(branches)
    .optional()
    .describe(
      'Branch of a `branch` task. This task is skipped if the run continues with the other branch. Default: both branches lead to this task.',
    ),
})

/** Task within a pipeline. */
export const pipelineTask = z.object({
  id: z.string().trim().min(1).max(100).describe('Id within the pipeline, which statuses contain as nodeId.'),
  taskId: z
    .string()
    .max(200)
    .optional()
    .describe(
      'Id of the task that had this name when the pipeline was saved. The server sets it and ignores it in requests.',
    ),
  taskName: z.string().trim().min(1).max(200).describe('Name of the task that runs.'),
  taskGroup: z.string().trim().max(200).default('').describe('Group of the task; empty if it is built in.'),
  taskVersion: z
    .int()
    .min(1)
    .max(2 ** 31 - 1)
    .nullable()
    .default(null)
    .describe('Version of the task; null means the newest at the time of the run. Default null.'),
  taskReadableName: z.string().trim().min(1).max(200).describe('Name within the pipeline.'),
  taskCategory: z
    .string()
    .max(200)
    .default('')
    .describe(
      'Category of the task; empty if the caller cannot read the task. The server sets it and ignores it in requests.',
    ),
  taskOverrides: z
    .object({
      params: z
        .array(pipelineParam)
        .max(100)
        .refine(
          (params) => new Set(params.map(({ name, type }) => `${type} ${name}`)).size === params.length,
          'Each parameter can be set only once.',
        )
        .default([])
        .describe('Values that override the values of the task. Scripts cannot be overridden.'),
    })
    .default({ params: [] })
    .describe('Values of the task in this pipeline.'),
  prevTasks: z
    .array(previousTask)
    .max(maxPipelineTasks)
    .default([])
    .describe(
      'Tasks that must finish first, in addition to tasks that provide inputs of this task. Tasks that do not wait for each other run in parallel.',
    ),
  nextTasks: z
    .array(taskInPipeline)
    .max(maxPipelineTasks)
    .default([])
    .describe(
      'Tasks that have this task in `prevTasks`. The server derives them and ignores them in requests.',
    ),
  isPaused: z
    .boolean()
    .default(false)
    .describe('Whether runs pause before this task until a user continues them. Default false.'),
  onError: z
    .enum(['stop', 'skip', 'continue'])
    .optional()
    .describe(
      'Behaviour after WARN or ERROR. stop: no other task starts; skip: the tasks after this one are skipped; continue: they run. Default stop.',
    ),
  retries: z.int().min(0).max(20).optional().describe('Number of retries after ERROR, 0 to 20. Default 0.'),
  retryDelay: z
    .number()
    .min(0)
    .max(3600)
    .optional()
    .describe(
      'Maximum pause before the first retry, in seconds, 0 to 3600. Later pauses grow by the factor `retryBackoff`. Default 10.',
    ),
  retryBackoff: z
    .number()
    .min(1)
    .max(10)
    .optional()
    .describe('Factor by which the pause grows with each retry, 1 to 10. Default 2.'),
  retryMaxDelay: z
    .number()
    .min(0)
    .max(3600)
    .optional()
    .describe('Maximum pause before any retry, in seconds, 0 to 3600. Default 3600.'),
  retryJitter: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      'Random fraction of each pause, 0 to 1. Pauses are shortened by at most this fraction, so that tasks that failed together do not retry together. Default 0.5.',
    ),
  retryOn: z
    .array(z.enum(errorClasses))
    .min(1, 'Choose at least one class of errors to retry.')
    .refine((classes) => new Set(classes).size === classes.length, 'Choose each class of errors only once.')
    .optional()
    .describe(
      'Errors that are retried. timeout: the task or a remote server took too long; connection: a remote server was not found or the connection failed; unavailable: a remote server responded with 429, or 500 and higher; script: a script ended with an exception or exit code; other: all other errors. Default: every error.',
    ),
})
/** Task within a pipeline. */
export type PipelineTask = z.output<typeof pipelineTask>
/** Task as a version stores it: without the fields that the server derives for responses. */
export type StoredPipelineTask = Omit<PipelineTask, 'taskCategory' | 'nextTasks'>

/** Link between two tasks of a pipeline. */
export const pipelineLink = z.object({
  id: z.string().describe('Id, unique in the pipeline.'),
  value: z
    .string()
    .describe('Reference `${uuid}` that is the value of both ends; empty if the link only sets the order.'),
  input: z
    .object({
      task: z.string().describe('Id of the task that receives the value.'),
      name: z.string().describe('Name of its input; empty if the link only sets the order.'),
    })
    .describe('End of the link.'),
  output: z
    .object({
      task: z.string().describe('Id of the task that provides the value.'),
      name: z
        .string()
        .describe(
          'Name of its output. If the link only sets the order: its branch, or empty for every branch.',
        ),
    })
    .describe('Start of the link.'),
})
/** Link between two tasks of a pipeline. */
export type PipelineLink = z.output<typeof pipelineLink>

/** Execution modes of steps. */
export const executionModes = ['durable', 'fused'] as const
/** Execution mode of steps. */
export type ExecutionMode = (typeof executionModes)[number]

/** A task of a pipeline in a request. */
export const pipelineTaskInput = pipelineTask.extend({
  taskReadableName: pipelineTask.shape.taskReadableName.refine(isPlainLine, {
    error: ({ input }) => `The name “${String(input)}” of a task is not plain text. ${notPlainLine}`,
  }),
})

/** Fields of a pipeline that a save sets. */
export const pipelineInput = z.object({
  name: objectName('a pipeline', { max: 300 }).describe(
    'Name, unique in its group; trimmed, 1 to 300 characters.',
  ),
  groupName: z
    .string('Choose a group.')
    .trim()
    .min(1, 'Choose a group.')
    .max(200)
    .describe('Group of the pipeline.'),
  markdownId: z
    .string()
    .max(64)
    .nullish()
    .describe('Id of the file with the documentation of the pipeline; null if it has none.'),
  payload: z
    .string()
    .max(maxPayloadLength, 'The canvas data is too large.')
    .refine(isJsonObject, 'The payload must be a JSON object as a string.')
    .default('{}')
    .describe('Canvas data of clients as a JSON string: positions, comments, commentsVisible.'),
  tags: z.array(z.string().trim().min(1).max(100)).max(50).default([]).describe('Tags.'),
  executionMode: z
    .enum(executionModes)
    .optional()
    .describe(
      'durable: each step is stored when it ends; a crash repeats one step. fused: sequences of short built-in steps are stored together, which is faster; a crash repeats the whole sequence. Default: the mode of the stored pipeline; durable for a new one.',
    ),
  tasks: z
    .array(pipelineTaskInput)
    .max(maxPipelineTasks, `A pipeline can have at most ${maxPipelineTasks} tasks.`)
    .default([])
    .describe('Tasks, in any order.'),
})
/** Fields of a pipeline that a save sets. */
export type PipelineInput = z.output<typeof pipelineInput>

/** A version of a pipeline, without its tasks. */
export const pipeline = z.object({
  id: z
    .string()
    .describe('Id of the pipeline, shared by all versions. For built-in pipelines, `<group>/<name>`.'),
  name: z.string().describe('Name, unique in its group.'),
  groupName: z.string().describe('Group of the pipeline.'),
  tags: z.array(z.string()).describe('Tags.'),
  version: z.int().describe('Number of this version, from 1.'),
  latest: z.boolean().describe('Whether it is the newest version.'),
  favorite: z.boolean().describe('Whether the caller marked it as a favourite.'),
  lastChangeBy: z
    .string()
    .nullable()
    .describe('Name of the user who saved this version; null for built-in pipelines.'),
  modifyDate: z
    .string()
    .nullable()
    .describe(
      'Time when this version was saved, ISO 8601 in UTC without a zone; null for built-in pipelines.',
    ),
  markdownId: z
    .string()
    .nullable()
    .describe('Id of the file with the documentation of the pipeline; null if it has none.'),
  executionMode: z
    .enum(executionModes)
    .describe(
      'durable: each step is stored when it ends. fused: sequences of short built-in steps are stored together.',
    ),
  trigger: z
    .enum(triggerTypes)
    .describe(
      'Type of the first active trigger, with `cron-trigger` tasks and schedules first; None if only users and webhooks start the pipeline.',
    ),
  schedules: z
    .array(
      z.object({
        type: z.enum(['CRON', 'SCHEDULER']).describe('Type of the trigger.'),
        cron: z.string().describe('Cron expression with five fields; empty for SCHEDULER.'),
        description: z
          .string()
          .describe(
            'Description of a SCHEDULER in English, for example `Every 15 minutes`; empty for other types.',
          ),
        timeZone: z.string().describe('IANA time zone.'),
        nextRun: z.string().nullable().describe('Time of the next run, ISO 8601 in UTC without a zone.'),
      }),
    )
    .describe('Times at which active triggers start the pipeline, `cron-trigger` tasks first.'),
  job: z
    .object({ jobId: z.string().describe('Id of the job; /status returns its statuses.') })
    .nullable()
    .describe('Job of the latest run of any version; null before the first run.'),
  writeAccess: z.boolean().describe('Whether the caller can save and delete the pipeline.'),
  canShare: z
    .boolean()
    .describe(
      "Whether the caller's access to the group allows sharing the pipeline; false for built-in pipelines.",
    ),
})
/** A version of a pipeline, without its tasks. */
export type Pipeline = z.infer<typeof pipeline>

/** A version of a pipeline with its tasks. */
export const pipelineDetails = z.object({
  pipeline: pipeline.describe('Name, version and schedules.'),
  batchConfig: z
    .object({ tasks: z.array(pipelineTask).describe('Tasks, in any order.') })
    .describe('The tasks.'),
  payload: z.string().describe('Canvas data of clients as a JSON string.'),
})
/** A version of a pipeline with its tasks. */
export type PipelineDetails = z.output<typeof pipelineDetails>

function isJsonObject(text: string): boolean {
  return isRecord(parseJson(text))
}
