import { z } from 'zod'
import { defineRoute, largeBodyBytes } from '@headwater/contract'
import { fileName, fileType } from '@headwater/files/contract'
import { jobStatuses } from '@headwater/statuses/contract'
import { maxValueLength, paramValue, versionQuery } from '@headwater/tasks/contract'
import { runPriority } from './limit-routes.ts'
import { pipelineId, readsPipelines, writesPipelines } from './route-parts.ts'
import { checkPart, givenTriggerValues, runPart, severalParts } from './run-part.ts'

const jobId = z.string().max(64).describe('Id of the job of the run; /status returns its statuses.')

/** Starts a run of a pipeline. */
export const executePipeline = defineRoute({
  name: 'executePipeline',
  method: 'POST',
  path: '/mgmt/pipeline/:pipelineId/execute',
  summary:
    'Starts a run with the access of the caller, of all tasks or of a part of them. The run has only the tasks that it executes. The header X-KH-JOB-ID of the response also has the id of the job.',
  permission: writesPipelines,
  params: pipelineId,
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
      priority: runPriority
        .optional()
        .describe(
          'Priority of the run, -100 to 100: among the runs of the caller, and among those that wait for a limit, higher ones start first. Default: that of the pipeline.',
        ),
      ...runPart,
      valuesOfJobId: z
        .string()
        .max(64)
        .optional()
        .describe(
          'Earlier run of the pipeline by the caller. Tasks use its values for outputs of tasks that do not run. Default: none.',
        ),
      changedOnly: z
        .boolean()
        .default(false)
        .describe(
          'Runs only the tasks that have changed since `valuesOfJobId`, by default the latest run of the pipeline by the caller, and those after them. The others have their results of that run. A part and pinned tasks cannot be set beside it. Default false.',
        ),
      triggerValues: givenTriggerValues,
    })
    .refine(checkPart, severalParts)
    .refine(
      ({ changedOnly, onlyNodeId, untilNodeId, fromNodeId, pinned }) =>
        !changedOnly ||
        ([onlyNodeId, untilNodeId, fromNodeId].every((id) => id === undefined) && pinned.length === 0),
      {
        error: 'changedOnly decides which tasks run. Remove it, or the part and the pinned tasks.',
        path: ['changedOnly'],
      },
    )
    .default({ version: undefined, pinned: [], changedOnly: false, triggerValues: {} }),
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
    'pipelineGroupForbidden',
    'runNotFound',
    'valueMissing',
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
  permission: writesPipelines,
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
  summary: 'Continues a run that is paused before a task. An approval needs a decision: approve or decline.',
  permission: writesPipelines,
  body: z.object({
    userName: z.string().max(320).optional().describe('Name of the user; ignored.'),
    jobId,
  }),
  output: z.object({}),
  errors: ['runNotFound', 'runNotPaused', 'approvalNeeded'],
})

/** A change that is applied before a paused run continues. */
export const runChange = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('FILE_EDIT').describe('Stores a new version of a file before the run continues.'),
    payload: z
      .object({
        groupName: z
          .string()
          .max(300)
          .optional()
          .describe('Group of the file. Default: the group of the pipeline.'),
        fileName: fileName.describe('Name of the file.'),
        fileType: fileType.default('SOURCE').describe('Type of the file. Default SOURCE.'),
        content: z.string().max(maxValueLength).describe('The whole new content, as text.'),
        fileId: z
          .string()
          .max(64)
          .optional()
          .describe(
            'Id of the edited version, which must be the newest one. Tasks of the run that use it and have not started use the new version instead. Default: any version, and tasks that name a version by id still use it.',
          ),
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
  permission: writesPipelines,
  body: z.object({
    jobId,
    userName: z.string().max(320).optional().describe('Name of the user; ignored.'),
    changes: z
      .array(runChange)
      .max(100)
      .default([])
      .describe('Edited files are stored first, then decisions apply in their order. Default: none.'),
  }),
  bodyBytes: largeBodyBytes,
  output: z.object({}),
  errors: [
    ...runErrors,
    'approvalNeeded',
    'editRejected',
    'fileNotFound',
    'notNewestVersion',
    'pipelineGroupForbidden',
  ],
})

/** Executes a run again. */
export const repeatPipeline = defineRoute({
  name: 'repeatPipeline',
  method: 'POST',
  path: '/mgmt/pipeline/re-execute',
  summary:
    'Executes the tasks of a run again, as they were then, in a new run. Tasks that are not repeated keep their results and values; those without success are no part of the new run.',
  permission: writesPipelines,
  body: z
    .object({
      jobId,
      pipelineId: z.string().max(64).optional().describe('Pipeline of the run; ignored.'),
      ...runPart,
      fromNodeId: runPart.fromNodeId.describe(
        'Repeats this task and all tasks after it, and all tasks that did not succeed. Default: all tasks.',
      ),
      failedOnly: z
        .boolean()
        .default(false)
        .describe('Repeats only tasks that did not succeed, and those after them. Default false.'),
    })
    .refine(checkPart, severalParts),
  output: z.object({ jobId }),
  errors: [
    'runNotFound',
    'pipelineNotFound',
    'pipelineInvalid',
    'pipelineGroupForbidden',
    'valueMissing',
    'tooManyRuns',
  ],
})

const decision = z.object({
  token: z
    .string()
    .max(200)
    .optional()
    .describe(
      'Token of the link in an e-mail to an approver; it belongs to one task and one approver and works once. Default: the decision of the user of the run.',
    ),
  approveTime: z
    .string()
    .max(100)
    .optional()
    .describe('Time of the decision at the client; stored as it is. Default: none.'),
  jobId,
  nodeId: z.string().max(100).optional().describe('Task within the pipeline. Default: all paused tasks.'),
})

/** Approves the paused tasks of a run. */
export const approvePipeline = defineRoute({
  name: 'approvePipeline',
  method: 'POST',
  path: '/mgmt/pipeline/approve',
  summary: 'Approves the tasks before which a run is paused: they start.',
  // The service checks the permission: approvers need a different permission than the user of the run.
  permission: 'signed-in',
  body: decision,
  output: z.object({}),
  errors: [...runErrors, 'approvalNotFound', 'approvalDecided', 'approvalNeeded'],
})

/** Declines the paused tasks of a run. */
export const declinePipeline = defineRoute({
  name: 'declinePipeline',
  method: 'POST',
  path: '/mgmt/pipeline/decline',
  summary: 'Declines the tasks before which a run is paused: they end with ERROR.',
  // The service checks the permission: approvers need a different permission than the user of the run.
  permission: 'signed-in',
  body: decision,
  output: z.object({}),
  errors: [...runErrors, 'approvalNotFound', 'approvalDecided', 'approvalNeeded'],
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
  permission: readsPipelines,
  params: pipelineId,
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
  summary:
    'Stores a value for later tasks: a reference `${uuid}` in the run, another name in the pipeline. Needs write access to the group of the pipeline.',
  permission: writesPipelines,
  params: pipelineId,
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
  permission: writesPipelines,
  body: z.object({
    taskName: z.string().trim().min(1).max(200).describe('Name of the task.'),
    taskGroupName: z
      .string()
      .trim()
      .max(200)
      .default('')
      .describe('Group of the task; empty if it is built in.'),
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
  permission: readsPipelines,
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
    'Stores a value for later tasks: under a reference `${uuid}` in the run of the header X-KH-JOB-ID, under another name in the pipeline. The body is the value. Needs write access to the group of the pipeline, except for the code of the run itself.',
  permission: readsPipelines,
  allowsRunTokens: true,
  allowsTestRuns: true,
  params: storeParams,
  body: paramValue.describe('The value.'),
  bodyKind: 'text',
  bodyBytes: largeBodyBytes,
  output: z.object({}),
  errors: ['runNotFound', 'noRunForValue', 'pipelineNotFound', 'pipelineGroupForbidden', 'tooManyValues'],
})
