import { z } from 'zod'
import { defineRoute, largeBodyBytes, pageOf, pageQuery, queryBoolean, sortOrder } from '@headwater/contract'
import { triggerTypes } from '@headwater/statuses/contract'
import { maxValueLength, paramValue, versionQuery } from '@headwater/tasks/contract'
import { pipeline, pipelineDetails, pipelineInput } from './pipeline.ts'

const read = { resource: 'Science', mode: 'R' } as const
const write = { resource: 'Science/Creator', mode: 'RW' } as const

const id = z.object({ pipelineId: z.string().max(64).describe('Id of the pipeline.') })
const jobId = z.string().max(64).describe('The job; its statuses are at /status.')

export const searchPipelines = defineRoute({
  name: 'searchPipelines',
  method: 'GET',
  path: '/mgmt/pipeline',
  summary: 'Pipelines of the groups that the caller can read.',
  permission: read,
  query: z.object({
    ...pageQuery(),
    query: z
      .string()
      .max(1000)
      .default('')
      .describe(
        'Part of the name in any letter case, or pairs joined by & (name, groupName, tag, id); `*` is a wildcard. Without one a pair must match exactly.',
      ),
    latest: queryBoolean.default(true).describe('Only the newest version of each. Default true.'),
    triggerType: z
      .enum(triggerTypes)
      .default('ANY')
      .describe('Only those that this starts. Default ANY: all.'),
    sortBy: z.enum(['updated', 'name']).default('updated').describe('What to sort by, default updated.'),
    sortOrder: sortOrder.optional().describe('asc or desc; default desc for updated, asc for name.'),
  }),
  output: pageOf(pipeline),
})

export const getPipelineByName = defineRoute({
  name: 'getPipelineByName',
  method: 'GET',
  path: '/mgmt/pipeline/name',
  summary: 'One version of a pipeline by group and name.',
  permission: read,
  query: z.object({
    name: z.string().max(300).describe('Name of the pipeline.'),
    groupName: z.string().max(300).describe('Group it lies in.'),
    version: versionQuery,
  }),
  output: pipelineDetails,
  errors: ['pipelineNotFound'],
})

export const findPipelineByName = defineRoute({
  name: 'findPipelineByName',
  method: 'GET',
  path: '/mgmt/pipeline/find',
  summary:
    'The newest version of a pipeline by group and name, for programs that do not know whether it exists.',
  permission: read,
  query: getPipelineByName.query.omit({ version: true }),
  output: z.object({
    pipeline: pipelineDetails
      .nullable()
      .describe('The pipeline; null when there is none that the caller can read.'),
  }),
})

export const getPipeline = defineRoute({
  name: 'getPipeline',
  method: 'GET',
  path: '/mgmt/pipeline/:pipelineId',
  summary: 'One version of a pipeline by id.',
  permission: read,
  params: id,
  query: z.object({ version: versionQuery }),
  output: pipelineDetails,
  errors: ['pipelineNotFound'],
})

export const listPipelineVersions = defineRoute({
  name: 'listPipelineVersions',
  method: 'GET',
  path: '/mgmt/pipeline/:pipelineId/versions',
  summary: 'All versions of a pipeline, newest first.',
  permission: read,
  params: id,
  query: z.object(pageQuery()),
  output: pageOf(pipeline),
  errors: ['pipelineNotFound'],
})

const saveErrors = [
  'pipelineExists',
  'pipelineGroupNotFound',
  'pipelineGroupForbidden',
  'pipelineInvalid',
  'scheduleUnreadable',
  'scheduleZoneUnknown',
  'taskNotFound',
  'paramUnknown',
  'scriptGiven',
] as const

export const createPipeline = defineRoute({
  name: 'createPipeline',
  method: 'POST',
  path: '/mgmt/pipeline',
  summary:
    'Saves a new pipeline. A task `cron-trigger` in it starts runs by itself, with the rights of who saved it last.',
  permission: write,
  body: pipelineInput,
  bodyBytes: largeBodyBytes,
  output: pipelineDetails,
  successStatus: 201,
  errors: saveErrors,
})

export const updatePipeline = defineRoute({
  name: 'updatePipeline',
  method: 'PUT',
  path: '/mgmt/pipeline/:pipelineId',
  summary:
    'Saves a new version of a pipeline; renames or moves it when name or group differ. When the version it was edited from is not the newest any more, nothing is saved.',
  permission: write,
  params: id,
  body: pipelineInput.extend({
    pipelineId: z.string().max(64).optional().describe('The id again, as clients send it; not read.'),
    version: z.int().min(1).optional().describe('Version that was edited; without it the newest is meant.'),
  }),
  bodyBytes: largeBodyBytes,
  output: pipelineDetails,
  errors: ['pipelineNotFound', 'pipelineChanged', ...saveErrors],
})

export const deletePipeline = defineRoute({
  name: 'deletePipeline',
  method: 'DELETE',
  path: '/mgmt/pipeline/:pipelineId',
  summary: 'Deletes a pipeline with all its versions and its schedule; runs that go on are stopped.',
  permission: write,
  params: id,
  output: z.object({}),
  errors: ['pipelineNotFound', 'pipelineGroupForbidden'],
})

export const executePipeline = defineRoute({
  name: 'executePipeline',
  method: 'POST',
  path: '/mgmt/pipeline/:pipelineId/execute',
  summary: 'Starts a run with the rights of the caller. The header X-KH-JOB-ID names the job too.',
  permission: write,
  params: id,
  body: z
    .object({
      pipelineId: z.string().max(64).optional().describe('The id again, as clients send it; not read.'),
      version: versionQuery,
      details: z.looseObject({}).optional().describe('What a client notes of the run; not read.'),
    })
    .default({ version: undefined }),
  bodyBytes: largeBodyBytes,
  output: z.object({ jobId }),
  errors: [
    'pipelineNotFound',
    'pipelineInvalid',
    'taskNotFound',
    'paramUnknown',
    'scriptGiven',
    'paramMissing',
    'tooManyRuns',
  ],
})

export const stopPipeline = defineRoute({
  name: 'stopPipeline',
  method: 'POST',
  path: '/mgmt/pipeline/stop',
  summary: 'Stops a run: the task that runs is ended, those after it do not begin.',
  permission: write,
  body: z.object({
    pipelineId: z.string().max(64).optional().describe('Pipeline of the run, as clients send it; not read.'),
    jobId,
  }),
  output: z.object({}),
  errors: ['runNotFound'],
})

export const continuePipeline = defineRoute({
  name: 'continuePipeline',
  method: 'POST',
  path: '/mgmt/pipeline/continue',
  summary: 'Continues a run that is paused before a task.',
  permission: write,
  body: z.object({
    userName: z.string().max(320).optional().describe('Who continues it, as clients send it; not read.'),
    jobId,
  }),
  output: z.object({}),
  errors: ['runNotFound'],
})

export const executeTask = defineRoute({
  name: 'executeTask',
  method: 'POST',
  path: '/mgmt/task/execute',
  summary:
    'Runs one task by itself, with the rights of the caller. The header X-KH-JOB-ID names the job too.',
  permission: write,
  body: z.object({
    taskName: z.string().trim().min(1).max(200).describe('Name of the task.'),
    taskGroupName: z.string().trim().max(200).default('').describe('Group of the task; empty = built in.'),
    taskId: z
      .string()
      .max(200)
      .optional()
      .describe('Id of the task that is meant; refused when the name means another one by now.'),
    taskVersion: versionQuery,
    params: z
      .array(z.object({ name: z.string().trim().min(1).max(200), value: paramValue }))
      .max(100)
      .default([])
      .describe(
        `Values of parameters but scripts, at most ${maxValueLength.toLocaleString('en')} characters each.`,
      ),
    withOpenAiKey: z
      .boolean()
      .default(false)
      .describe('Whether the task is given the OpenAI key of the installation. Default false.'),
  }),
  bodyBytes: largeBodyBytes,
  output: z.object({ jobId }),
  errors: [
    'pipelineInvalid',
    'taskNotFound',
    'paramUnknown',
    'scriptGiven',
    'paramMissing',
    'noOpenAiKey',
    'tooManyRuns',
  ],
})

const storeParams = z.object({
  pipelineId: z.string().max(64).describe('Pipeline of the run, or `None`.'),
  key: z.string().min(1).max(500).describe('Name of the value, for example the whole reference `${uuid}`.'),
})

export const getStoredValue = defineRoute({
  name: 'getStoredValue',
  method: 'GET',
  path: '/mgmt/store/:pipelineId/:key',
  summary: 'A value that a task of the run named by the header X-KH-JOB-ID has stored.',
  permission: read,
  params: storeParams,
  output: z.object({
    dataStorageId: z.string().describe('The run.'),
    key: z.string(),
    value: z.string(),
  }),
  errors: ['valueNotFound', 'runNotFound'],
})

export const storeValue = defineRoute({
  name: 'storeValue',
  method: 'POST',
  path: '/mgmt/store/:pipelineId/:key',
  summary:
    'Stores a value for the other tasks of the run named by the header X-KH-JOB-ID. The body is the value.',
  permission: read,
  params: storeParams,
  body: paramValue.describe('The value.'),
  bodyKind: 'text',
  bodyBytes: largeBodyBytes,
  output: z.object({}),
  errors: ['runNotFound', 'tooManyValues'],
})
