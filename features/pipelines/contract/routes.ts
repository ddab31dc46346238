import { z } from 'zod'
import { defineRoute, largeBodyBytes, pageOf, pageQuery, queryBoolean, sortOrder } from '@headwater/contract'
import { jobStatuses, triggerTypes } from '@headwater/statuses/contract'
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
      waitSeconds: z
        .number()
        .min(0)
        .max(60)
        .optional()
        .describe(
          'How long the response waits for the end of the run, 0 to 60 s. Default: it does not wait.',
        ),
    })
    .default({ version: undefined }),
  bodyBytes: largeBodyBytes,
  output: z.object({
    jobId,
    status: z
      .enum(jobStatuses)
      .optional()
      .describe('With `waitSeconds`: INFO, WARN or ERROR if the run has ended, otherwise RUNNING or PAUSED.'),
  }),
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
  errors: ['runNotFound', 'runNotPaused'],
})

/** A change with which a paused run goes on. */
export const runChange = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('FILE_EDIT').describe('Stores a new version of a file before the run goes on.'),
    payload: z
      .object({
        groupName: z
          .string()
          .max(300)
          .optional()
          .describe('Group of the file. Default: the group of the pipeline.'),
        fileName: z.string().trim().min(1).max(300).describe('Name of the file.'),
        fileType: z.string().max(100).default('SOURCE').describe('Type of the file. Default SOURCE.'),
        content: z.string().max(maxValueLength).describe('The whole new content, as text.'),
      })
      .describe('The edited file.'),
  }),
  ...(['APPROVE', 'DECLINE'] as const).map((action) =>
    z.object({
      action: z.literal(action).describe('APPROVE: the paused task starts. DECLINE: it ends with ERROR.'),
      approveTime: z
        .string()
        .max(100)
        .optional()
        .describe('Time of the decision at the client; stored as it is.'),
      userName: z.string().max(320).optional().describe('Name of the user; the server records the caller.'),
      nodeId: z.string().max(100).optional().describe('Task within the pipeline. Default: all paused tasks.'),
    }),
  ),
])

const runErrors = ['runNotFound', 'runNotPaused'] as const

/** Continues a paused run with changes. */
export const resumePipeline = defineRoute({
  name: 'resumePipeline',
  method: 'POST',
  path: '/mgmt/pipeline/resume',
  summary: 'Continues a paused run after edits of files and decisions about its paused tasks.',
  permission: write,
  body: z.object({
    jobId,
    userName: z.string().max(320).optional().describe('Name of the user; ignored.'),
    changes: z
      .array(runChange)
      .max(100)
      .default([])
      .describe('Changes, applied in their order. Default none.'),
  }),
  bodyBytes: largeBodyBytes,
  output: z.object({}),
  errors: [...runErrors],
})

/** Executes a run again. */
export const repeatPipeline = defineRoute({
  name: 'repeatPipeline',
  method: 'POST',
  path: '/mgmt/pipeline/re-execute',
  summary:
    'Executes the tasks of a run again, as they were then, in a new run. Tasks that are not repeated keep their results and values.',
  permission: write,
  body: z.object({
    jobId,
    pipelineId: z.string().max(64).optional().describe('Pipeline of the run; ignored.'),
    fromNodeId: z
      .string()
      .max(100)
      .optional()
      .describe('The task to repeat, with all tasks after it. Default: all tasks.'),
    failedOnly: z
      .boolean()
      .default(false)
      .describe('Repeats only tasks that did not succeed, and those after them. Default false.'),
  }),
  output: z.object({ jobId }),
  errors: ['runNotFound', 'pipelineInvalid', 'tooManyRuns'],
})

const decision = z.object({
  jobId,
  nodeId: z.string().max(100).optional().describe('Task within the pipeline. Default: all paused tasks.'),
})

/** Approves the paused tasks of a run. */
export const approvePipeline = defineRoute({
  name: 'approvePipeline',
  method: 'POST',
  path: '/mgmt/pipeline/approve',
  summary: 'Approves the tasks before which a run is paused: they start.',
  permission: write,
  body: decision,
  output: z.object({}),
  errors: [...runErrors],
})

/** Declines the paused tasks of a run. */
export const declinePipeline = defineRoute({
  name: 'declinePipeline',
  method: 'POST',
  path: '/mgmt/pipeline/decline',
  summary: 'Declines the tasks before which a run is paused: they end with ERROR.',
  permission: write,
  body: decision,
  output: z.object({}),
  errors: [...runErrors],
})

const generatedValue = z.object({
  jobId: z.string().nullable().describe('Job of the run; null without a run.'),
  pipelineId: z.string().describe('Id of the pipeline.'),
  name: z.string().describe('Name of the value, for example a reference `${uuid}`.'),
  value: z.string().describe('The value.'),
})

/** Lists the stored values of a run. */
export const listGeneratedValues = defineRoute({
  name: 'listGeneratedValues',
  method: 'GET',
  path: '/mgmt/pipeline/:pipelineId/values',
  summary: 'Values that the tasks of a run have stored, and those of its pipeline.',
  permission: read,
  params: id,
  query: z.object({
    jobId: z.string().max(64).optional().describe('Job of the run. Default: the latest run by the caller.'),
  }),
  output: z.object({ items: z.array(generatedValue).describe('The values, sorted by name.') }),
  errors: ['pipelineNotFound'],
})

/** Stores a value of a run. */
export const saveGeneratedValue = defineRoute({
  name: 'saveGeneratedValue',
  method: 'POST',
  path: '/mgmt/pipeline/:pipelineId/values',
  summary: 'Stores a value for later tasks: a reference `${uuid}` in the run, another name in the pipeline.',
  permission: write,
  params: id,
  body: z.object({
    jobId: z.string().max(64).nullish().describe('Job of the run. Default: the latest run by the caller.'),
    pipelineId: z.string().max(64).optional().describe('Id of the pipeline; ignored.'),
    name: z.string().min(1).max(500).describe('Name of the value.'),
    value: paramValue.describe('The value.'),
  }),
  bodyBytes: largeBodyBytes,
  output: z.object({}),
  errors: ['runNotFound', 'noRunForValue', 'pipelineNotFound', 'pipelineGroupForbidden', 'tooManyValues'],
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
  summary:
    'Returns a stored value: under a reference `${uuid}` that of the run in the header X-KH-JOB-ID or of the latest run, under another name that of the pipeline.',
  permission: read,
  allowsRunTokens: true,
  params: storeParams,
  output: z.object({
    dataStorageId: z.string().describe('Id of the run or pipeline that stores the value.'),
    key: z.string().describe('Name of the value.'),
    value: z.string().describe('The stored value.'),
  }),
  errors: ['valueNotFound', 'noRunForValue', 'pipelineNotFound'],
})

/** Stores a value of a run. */
export const storeValue = defineRoute({
  name: 'storeValue',
  method: 'POST',
  path: '/mgmt/store/:pipelineId/:key',
  summary:
    'Stores a value for later tasks: under a reference `${uuid}` in the run of the header X-KH-JOB-ID, under another name in the pipeline. The body is the value.',
  permission: read,
  allowsRunTokens: true,
  params: storeParams,
  body: paramValue.describe('The value.'),
  bodyKind: 'text',
  bodyBytes: largeBodyBytes,
  output: z.object({}),
  errors: ['runNotFound', 'noRunForValue', 'pipelineNotFound', 'pipelineGroupForbidden', 'tooManyValues'],
})
