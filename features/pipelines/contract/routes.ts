import { z } from 'zod'
import { defineRoute, largeBodyBytes, pageOf, pageQuery, queryBoolean, sortOrder } from '@headwater/contract'
import { triggerTypes } from '@headwater/statuses/contract'
import { maxValueLength, paramValue, versionQuery } from '@headwater/tasks/contract'
import { pipeline, pipelineDetails, pipelineInput } from './pipeline.ts'

const read = { resource: 'Science', mode: 'R' } as const
const write = { resource: 'Science/Creator', mode: 'RW' } as const

const id = z.object({ pipelineId: z.string().max(64).describe('Id of the pipeline.') })
const jobId = z.string().max(64).describe('Id of the job of the run; /status returns its statuses.')

/** Searches the pipelines that the caller can read. */
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
      .describe('Only pipelines with this trigger. Default ANY: all.'),
    sortBy: z.enum(['updated', 'name']).default('updated').describe('Sort key. Default updated.'),
    sortOrder: sortOrder.optional().describe('asc or desc. Default: desc for updated, asc for name.'),
  }),
  output: pageOf(pipeline),
})

/** Returns a version of a pipeline by group and name. */
export const getPipelineByName = defineRoute({
  name: 'getPipelineByName',
  method: 'GET',
  path: '/mgmt/pipeline/name',
  summary: 'One version of a pipeline by group and name.',
  permission: read,
  query: z.object({
    name: z.string().max(300).describe('Name of the pipeline.'),
    groupName: z.string().max(300).describe('Group of the pipeline.'),
    version: versionQuery,
  }),
  output: pipelineDetails,
  errors: ['pipelineNotFound'],
})

/** Returns the newest version of a pipeline by group and name, or null. */
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
      .describe('The pipeline; null if the caller can read none with this name.'),
  }),
})

/** Returns a version of a pipeline by id. */
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

/** Lists the versions of a pipeline. */
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

/** Saves a new pipeline. */
export const createPipeline = defineRoute({
  name: 'createPipeline',
  method: 'POST',
  path: '/mgmt/pipeline',
  summary:
    'Saves a new pipeline. A task `cron-trigger` runs it on a schedule, with the access of the user who saved it last.',
  permission: write,
  body: pipelineInput,
  bodyBytes: largeBodyBytes,
  output: pipelineDetails,
  successStatus: 201,
  errors: saveErrors,
})

/** Saves a new version of a pipeline. */
export const updatePipeline = defineRoute({
  name: 'updatePipeline',
  method: 'PUT',
  path: '/mgmt/pipeline/:pipelineId',
  summary:
    'Saves a new version of a pipeline; renames or moves it if name or group differ. Rejects the save if a newer version than the edited one exists.',
  permission: write,
  params: id,
  body: pipelineInput.extend({
    pipelineId: z.string().max(64).optional().describe('Id of the pipeline; ignored.'),
    version: z.int().min(1).optional().describe('Number of the version that was edited. Default the newest.'),
  }),
  bodyBytes: largeBodyBytes,
  output: pipelineDetails,
  errors: ['pipelineNotFound', 'pipelineChanged', ...saveErrors],
})

/** Deletes a pipeline. */
export const deletePipeline = defineRoute({
  name: 'deletePipeline',
  method: 'DELETE',
  path: '/mgmt/pipeline/:pipelineId',
  summary: 'Deletes a pipeline with all its versions and its schedule, and stops its runs.',
  permission: write,
  params: id,
  output: z.object({}),
  errors: ['pipelineNotFound', 'pipelineGroupForbidden'],
})

/** Starts a run of a pipeline. */
export const executePipeline = defineRoute({
  name: 'executePipeline',
  method: 'POST',
  path: '/mgmt/pipeline/:pipelineId/execute',
  summary:
    'Starts a run with the access of the caller. The header X-KH-JOB-ID of the response also has the id of the job.',
  permission: write,
  params: id,
  body: z
    .object({
      pipelineId: z.string().max(64).optional().describe('Id of the pipeline; ignored.'),
      version: versionQuery,
      details: z.looseObject({}).optional().describe('Notes of the client; ignored.'),
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

/** Stops a run. */
export const stopPipeline = defineRoute({
  name: 'stopPipeline',
  method: 'POST',
  path: '/mgmt/pipeline/stop',
  summary: 'Stops a run: aborts the current task and does not start later ones.',
  permission: write,
  body: z.object({
    pipelineId: z.string().max(64).optional().describe('Pipeline of the run; ignored.'),
    jobId,
  }),
  output: z.object({}),
  errors: ['runNotFound'],
})

/** Continues a paused run. */
export const continuePipeline = defineRoute({
  name: 'continuePipeline',
  method: 'POST',
  path: '/mgmt/pipeline/continue',
  summary: 'Continues a run that is paused before a task.',
  permission: write,
  body: z.object({
    userName: z.string().max(320).optional().describe('Name of the user; ignored.'),
    jobId,
  }),
  output: z.object({}),
  errors: ['runNotFound'],
})

/** Runs a single task. */
export const executeTask = defineRoute({
  name: 'executeTask',
  method: 'POST',
  path: '/mgmt/task/execute',
  summary:
    'Runs a single task with the access of the caller. The header X-KH-JOB-ID of the response also has the id of the job.',
  permission: write,
  body: z.object({
    taskName: z.string().trim().min(1).max(200).describe('Name of the task.'),
    taskGroupName: z.string().trim().max(200).default('').describe('Group of the task; empty = built in.'),
    taskId: z
      .string()
      .max(200)
      .optional()
      .describe('Id of the task. The request fails if the name now belongs to another task.'),
    taskVersion: versionQuery,
    params: z
      .array(
        z.object({
          name: z.string().trim().min(1).max(200).describe('Name of the input.'),
          value: paramValue.describe('Value of the input.'),
        }),
      )
      .max(100)
      .default([])
      .describe(
        `Values of inputs, at most ${maxValueLength.toLocaleString('en')} characters each. Scripts cannot be set.`,
      ),
    withOpenAiKey: z
      .boolean()
      .default(false)
      .describe('Whether the task receives the OpenAI key of the installation. Default false.'),
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

/** Returns a stored value of a run. */
export const getStoredValue = defineRoute({
  name: 'getStoredValue',
  method: 'GET',
  path: '/mgmt/store/:pipelineId/:key',
  summary: 'Returns a value that a task stored in the run of the header X-KH-JOB-ID.',
  permission: read,
  params: storeParams,
  output: z.object({
    dataStorageId: z.string().describe('Id of the run.'),
    key: z.string().describe('Name of the value.'),
    value: z.string().describe('The stored value.'),
  }),
  errors: ['valueNotFound', 'runNotFound'],
})

/** Stores a value of a run. */
export const storeValue = defineRoute({
  name: 'storeValue',
  method: 'POST',
  path: '/mgmt/store/:pipelineId/:key',
  summary: 'Stores a value for later tasks of the run of the header X-KH-JOB-ID. The body is the value.',
  permission: read,
  params: storeParams,
  body: paramValue.describe('The value.'),
  bodyKind: 'text',
  bodyBytes: largeBodyBytes,
  output: z.object({}),
  errors: ['runNotFound', 'tooManyValues'],
})
