import { z } from 'zod'

/** Permission to read pipelines and runs. */
export const readsPipelines = { resource: 'Science', mode: 'R' } as const
/** Permission to change and run pipelines. */
export const writesPipelines = { resource: 'Science/Creator', mode: 'RW' } as const
/** Path parameter with a pipeline id. */
export const pipelineId = z.object({ pipelineId: z.string().max(64).describe('Id of the pipeline.') })
