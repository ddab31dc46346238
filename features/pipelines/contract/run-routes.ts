import { z } from 'zod'
import { defineRoute, largeBodyBytes } from '@headwater/contract'
import { fileName, fileType } from '@headwater/files/contract'
import { jobStatuses } from '@headwater/statuses/contract'
import { maxValueLength, paramValue, versionQuery } from '@headwater/tasks/contract'
import { runPriority } from './limit-routes.ts'
import { pipelineId, readsPipelines, writesPipelines } from './route-parts.ts'
import { checkPart, givenTriggerValues, runPart, severalParts } from './run-part.ts'

const jobId = z.string().max(64).describe('Job id of the run; /status returns its statuses.')

/** Starts a run of a pipeline. */
export const executePipeline = defineRoute({
  name: 'executePipeline',
  method: 'POST',
  path: '/mgmt/pipeline/:pipelineId/execute',
  summary:
    'Starts a run of all or some of the tasks, with the access of the caller. The run contains only the tasks that it executes. The response header X-KH-JOB-ID also contains the job id.',
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
        .describe('Number of seconds to wait for the run to end before responding, 0 to 60. Default: 0.'),
      priority: runPriority
        .optional()
        .describe(
          'Priority of the run, -100 to 100. Among the runs of the caller, and among runs that wait for a limit, runs with a higher priority start first. Default: the priority of the pipeline.',
        ),
      ...runPart,
      valuesOfJobId: z
        .string()
        .max(64)
        .optional()
        .describe(
          'Job id of an earlier run of the pipeline by the caller. It provides the outputs of tasks that do not run. Default: none.',
        ),
      changedOnly: z
        .boolean()
        .default(false)
        .describe(
          'Whether to run only tasks that have changed since the run `valuesOfJobId` (by default the latest run of the pipeline by the caller), and the tasks after them. Other tasks reuse their results from that run. Cannot be combined with a selection of tasks or pinned tasks. Default false.',
        ),
      triggerValues: givenTriggerValues,
    })
    .refine(checkPart, severalParts)
    .refine(
      ({ changedOnly, onlyNodeId, untilNodeId, fromNodeId, pinned }) =>
        !changedOnly ||
        ([onlyNodeId, untilNodeId, fromNodeId].every((id) => id === undefined) && pinned.length === 0),
      {
        error:
          'changedOnly determines which tasks run. Remove it, or remove the selection of tasks and the pinned tasks.',
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
      .describe(
        'Only with `waitSeconds`: INFO, WARN or ERROR if the run has ended, otherwise RUNNING or PAUSED.',
      ),
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
  summary: 'Stops a run: aborts the tasks in progress and starts no others.',
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
  summary: 'Continues a run that is paused before a task. Approvals require a decision: approve or decline.',
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
        content: z.string().max(maxValueLength).describe('The complete new content, as text.'),
        fileId: z
          .string()
          .max(64)
          .optional()
          .describe(
            'Id of the edited version, which must be the newest. Tasks of the run that use it and have not started will use the new version. Default: any version; tasks that refer to a version by id still use that version.',
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
        .describe('Time of the decision according to the client, stored unchanged.'),
      userName: z
        .string()
        .max(320)
        .optional()
        .describe('Name of the user. Ignored: the server records the caller.'),
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
  summary: 'Continues a paused run with edited files and decisions about its paused tasks.',
  permission: writesPipelines,
  body: z.object({
    jobId,
    userName: z.string().max(320).optional().describe('Name of the user; ignored.'),
    changes: z
      .array(runChange)
      .max(100)
      .default([])
      .describe(
        'Changes. Edited files are stored first, then decisions are applied in order. Default: none.',
      ),
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
    'Executes the tasks of a run again, as they were at that time, in a new run. Tasks that are not repeated keep their results and values; if they did not succeed, they are not part of the new run.',
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
        .describe(
          'Whether to repeat only tasks that did not succeed, and the tasks after them. Default false.',
        ),
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
      'Token from the link in an e-mail to an approver. It is valid for one task and one approver and works once. Default: none; the caller decides as a signed-in user.',
    ),
  approveTime: z
    .string()
    .max(100)
    .optional()
    .describe('Time of the decision according to the client, stored unchanged. Default: none.'),
  jobId,
  nodeId: z.string().max(100).optional().describe('Task within the pipeline. Default: all paused tasks.'),
})

/** Approves the paused tasks of a run. */
export const approvePipeline = defineRoute({
  name: 'approvePipeline',
  method: 'POST',
  path: '/mgmt/pipeline/approve',
  summary: 'Approves the tasks that a run is paused before, so that they start.',
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
  summary: 'Declines the tasks that a run is paused before, so that they end with ERROR.',
  // The service checks the permission: approvers need a different permission than the user of the run.
  permission: 'signed-in',
  body: decision,
  output: z.object({}),
  errors: [...runErrors, 'approvalNotFound', 'approvalDecided', 'approvalNeeded'],
})

const generatedValue = z.object({
  jobId: z.string().nullable().describe('Job id of the run; null if the value belongs to the pipeline.'),
  pipelineId: z.string().describe('Id of the pipeline.'),
  name: z.string().describe('Name of the value, for example a reference `${uuid}`.'),
  value: z.string().describe('The value.'),
})

/** Lists the stored values of a run. */
export const listGeneratedValues = defineRoute({
  name: 'listGeneratedValues',
  method: 'GET',
  path: '/mgmt/pipeline/:pipelineId/values',
  summary: 'Values that the tasks of a run have stored, and the values of its pipeline.',
  permission: readsPipelines,
  params: pipelineId,
  query: z.object({
    jobId: z
      .string()
      .max(64)
      .optional()
      .describe('Job id of the run. Default: the latest run by the caller.'),
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
    'Stores a value for later tasks. A reference `${uuid}` is stored in the run, any other name in the pipeline. Requires write access to the group of the pipeline.',
  permission: writesPipelines,
  params: pipelineId,
  body: z.object({
    jobId: z.string().max(64).nullish().describe('Job id of the run. Default: the latest run by the caller.'),
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
    'Runs a single task with the access of the caller. The response header X-KH-JOB-ID also contains the job id.',
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
      .describe('Id of the task. The request fails if the name now belongs to a different task.'),
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
  key: z
    .string()
    .min(1)
    .max(500)
    .describe('Name of the value, for example the complete reference `${uuid}`.'),
})

/** Returns a stored value of a run. */
export const getStoredValue = defineRoute({
  name: 'getStoredValue',
  method: 'GET',
  path: '/mgmt/store/:pipelineId/:key',
  summary:
    'Returns a stored value. A reference `${uuid}` is read from the run in the header X-KH-JOB-ID or the latest run, any other name from the pipeline.',
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
    'Stores a value, which is the request body, for later tasks. A reference `${uuid}` is stored in the run in the header X-KH-JOB-ID, any other name in the pipeline. Requires write access to the group of the pipeline, except for the code of the run itself.',
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
