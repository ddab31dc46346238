import { z } from 'zod'
import { paramValue } from '@headwater/tasks/contract'
import { maxPipelineTasks } from './pipeline.ts'
import { triggerValueNames } from './trigger-values.ts'

const nodeId = z.string().max(100).optional()

/** Maximum number of values that a request can set for a run. */
const maxPinnedValues = 200

/**
 * Fields that select the tasks of a run. At most one of the first three can be set; {@link checkPart} verifies this.
 */
export const runPart = {
  onlyNodeId: nodeId.describe('Runs only this task.'),
  untilNodeId: nodeId.describe('Runs this task and all tasks that it waits for.'),
  fromNodeId: nodeId.describe('Runs this task and all tasks after it.'),
  pinned: z
    .array(
      z.object({
        nodeId: z.string().max(100).describe('Task within the pipeline.'),
        outputs: z
          .array(
            z.object({
              name: z.string().trim().min(1).max(200).describe('Name of the output.'),
              value: paramValue.describe('Value of the output.'),
            }),
          )
          .max(100)
          .default([])
          .describe('Values of the outputs. Outputs that no task uses have no effect. Default: none.'),
      }),
    )
    .max(maxPipelineTasks)
    .refine(
      (tasks) => tasks.reduce((total, { outputs }) => total + outputs.length, 0) <= maxPinnedValues,
      `At most ${maxPinnedValues} values can be pinned.`,
    )
    .refine(
      (tasks) => new Set(tasks.map(({ nodeId: id }) => id)).size === tasks.length,
      'Pin each task only once.',
    )
    .default([])
    .describe(
      'Tasks that do not run; the tasks after them use these values. Requires write access to the pipeline. Default: none.',
    ),
}

/** Values of the trigger that a request sets. */
export const givenTriggerValues = z
  .partialRecord(z.enum(triggerValueNames), z.string().max(100_000))
  .default({})
  .describe(
    'Values that tasks refer to with `${trigger.<name>}`, by name. Requires write access to the pipeline. Default: none.',
  )

/** Returns whether a request selects tasks in at most one way. */
export function checkPart(part: {
  onlyNodeId?: string | undefined
  untilNodeId?: string | undefined
  fromNodeId?: string | undefined
  failedOnly?: boolean
}): boolean {
  const { onlyNodeId, untilNodeId, fromNodeId, failedOnly = false } = part
  const ids = [onlyNodeId, untilNodeId, fromNodeId].filter((id) => id !== undefined)
  return ids.length + Number(failedOnly) <= 1
}

/** Error for a request that selects tasks in several ways. */
export const severalParts = {
  error: 'Set only one of onlyNodeId, untilNodeId, fromNodeId and failedOnly.',
  path: ['onlyNodeId'],
}
