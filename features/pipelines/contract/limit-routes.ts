import { z } from 'zod'
import { defineRoute } from '@headwater/contract'
import { readsPipelines, writesPipelines } from './route-parts.ts'

/** Minimum and maximum priority of a run. */
export const priorityRange = { min: -100, max: 100 } as const

/** Priority of runs. */
export const runPriority = z.int().min(priorityRange.min).max(priorityRange.max)

const target = {
  pipelineId: z.string().max(64).optional().describe('Id of the pipeline to limit.'),
  groupName: z
    .string()
    .trim()
    .max(300)
    .optional()
    .describe('Group to limit; its pipelines share the limit. Set either this or `pipelineId`.'),
}

const maxRuns = z.int().min(1).max(1000).nullable()

const output = z.object({
  maxRuns: maxRuns.describe('Maximum number of concurrent runs, including paused ones; null means no limit.'),
  priority: runPriority.describe("Priority of the pipeline's runs, -100 to 100; 0 for a group."),
})

/** Returns the limits of runs. */
export const getRunLimits = defineRoute({
  name: 'getRunLimits',
  method: 'GET',
  path: '/mgmt/runLimits',
  summary: 'Run limits of a pipeline, or of all pipelines in a group.',
  permission: readsPipelines,
  query: z.object(target),
  output,
  errors: ['limitTargetInvalid', 'pipelineNotFound', 'pipelineGroupNotFound'],
})

/** Sets the limits of runs. */
export const setRunLimits = defineRoute({
  name: 'setRunLimits',
  method: 'PUT',
  path: '/mgmt/runLimits',
  summary:
    'Limits the runs of a pipeline, or of all pipelines in a group. Runs over the limit wait and start when others end, by priority and then by age. Runs in progress continue. Requires write access to the group.',
  permission: writesPipelines,
  body: z.object({
    ...target,
    maxRuns: maxRuns
      .default(null)
      .describe(
        'Maximum number of concurrent runs, 1 to 1000, including paused ones; null means no limit. Default null.',
      ),
    priority: runPriority
      .default(0)
      .describe(
        "Priority of the pipeline's runs, -100 to 100. Among the runs of one user, and among runs that wait for the limit, runs with a higher priority start first. Ignored for a group. Default 0.",
      ),
  }),
  output,
  errors: ['limitTargetInvalid', 'pipelineNotFound', 'pipelineGroupNotFound', 'pipelineGroupForbidden'],
})
