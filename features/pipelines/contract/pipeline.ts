import { z } from 'zod'
import { objectName } from '@headwater/contract'
import { paramTypes, paramValue } from '@headwater/tasks/contract'
import { triggerTypes } from '@headwater/statuses/contract'

/** Most tasks of one pipeline. */
export const maxPipelineTasks = 200
/** The task that starts a pipeline by time; its parameters are cron and timeZone. */
export const cronTriggerName = 'cron-trigger'
/** Largest payload, in characters. */
export const maxPayloadLength = 1_000_000

/** A parameter of a task within a pipeline: what differs from the task. */
export const pipelineParam = z.object({
  name: z.string().trim().min(1).max(200).describe('Name of the parameter of the task.'),
  type: z.enum(paramTypes).default('INPUT').describe('INPUT or OUTPUT. Default INPUT.'),
  value: paramValue
    .default('')
    .describe('Value; `${uuid}` on an output and on inputs of other tasks hands on what the output gives.'),
})

/** A task within a pipeline. */
export const pipelineTask = z.object({
  id: z.string().trim().min(1).max(100).describe('Id within the pipeline; the nodeId of statuses.'),
  name: z.string().trim().min(1).max(200).describe('What it is called in the pipeline.'),
  taskName: z.string().trim().min(1).max(200).describe('Name of the task that runs.'),
  taskGroupName: z.string().trim().max(200).default('').describe('Group of the task; empty = built in.'),
  taskId: z
    .string()
    .max(200)
    .optional()
    .describe('Id of the task that was meant when the pipeline was saved, kept by the server; not read.'),
  taskVersion: z
    .int()
    .min(1)
    .max(2 ** 31 - 1)
    .nullable()
    .default(null)
    .describe('Version of the task; null = the newest when it runs. Default null.'),
  isPaused: z
    .boolean()
    .default(false)
    .describe('Whether runs pause before it until they are continued. Default false.'),
  after: z
    .array(z.string().max(100))
    .max(maxPipelineTasks)
    .default([])
    .describe('Ids of tasks that end first.'),
  params: z
    .array(pipelineParam)
    .max(100)
    .refine(
      (params) => new Set(params.map(({ name, type }) => `${type} ${name}`)).size === params.length,
      'A parameter is given twice.',
    )
    .default([])
    .describe('What differs from the parameters of the task; its script never does.'),
})
export type PipelineTask = z.output<typeof pipelineTask>

/** What is decided when a pipeline is saved. */
export const pipelineInput = z.object({
  name: objectName('a pipeline', { max: 300 }).describe(
    'Name, unique in its group; trimmed, 1 to 300 characters.',
  ),
  groupName: z
    .string('Choose a group.')
    .trim()
    .min(1, 'Choose a group.')
    .max(200)
    .describe('Group it lies in.'),
  markdownId: z.string().max(64).nullish().describe('File with its documentation; null without one.'),
  payload: z
    .string()
    .max(maxPayloadLength, 'The canvas data is too large.')
    .refine(isJsonObject, 'The payload is the JSON text of an object.')
    .default('{}')
    .describe('JSON text of what is kept for people: positions, comments, commentsVisible.'),
  tags: z.array(z.string().trim().min(1).max(100)).max(50).default([]).describe('Tags.'),
  tasks: z
    .array(pipelineTask)
    .max(maxPipelineTasks, `A pipeline has at most ${maxPipelineTasks} tasks.`)
    .default([])
    .describe('Tasks, in any order.'),
})
export type PipelineInput = z.output<typeof pipelineInput>

/** A pipeline without its tasks. */
export const pipeline = z.object({
  id: z.string().describe('Id that all versions share; of a built-in pipeline `<group>/<name>`.'),
  name: z.string(),
  groupName: z.string(),
  tags: z.array(z.string()),
  version: z.int().describe('Number of this version, counted from 1.'),
  latest: z.boolean().describe('Whether it is the newest version.'),
  lastChangeBy: z.string().nullable().describe('User name of who saved this version; null when built in.'),
  modifyDate: z
    .string()
    .nullable()
    .describe('When it was saved, ISO in UTC without a zone; null when built in.'),
  markdownId: z.string().nullable(),
  trigger: z.enum(triggerTypes).describe('What starts it by itself: CRON, or None.'),
  schedules: z
    .array(
      z.object({
        cron: z.string(),
        timeZone: z.string(),
        nextRun: z.string().nullable().describe('When it runs next, ISO in UTC without a zone.'),
      }),
    )
    .describe('Its triggers by time.'),
  writeAccess: z.boolean().describe('Whether the caller may save and delete it.'),
})
export type Pipeline = z.infer<typeof pipeline>

/** One version of a pipeline with all it holds. */
export const pipelineDetails = z.object({
  pipeline,
  batchConfig: z.object({ tasks: z.array(pipelineTask) }).describe('The tasks.'),
  payload: z.string().describe('JSON text of what is kept for people.'),
})
export type PipelineDetails = z.output<typeof pipelineDetails>

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
