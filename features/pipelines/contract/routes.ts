import { z } from 'zod'
import { defineRoute, largeBodyBytes, pageOf, pageQuery, queryBoolean, sortOrder } from '@headwater/contract'
import { triggerTypes } from '@headwater/statuses/contract'
import { versionQuery } from '@headwater/tasks/contract'
import { pipeline, pipelineDetails, pipelineInput } from './pipeline.ts'
import { pipelineId, readsPipelines, writesPipelines } from './route-parts.ts'

/** Searches the pipelines that the caller can read. */
export const searchPipelines = defineRoute({
  name: 'searchPipelines',
  method: 'GET',
  path: '/mgmt/pipeline',
  summary: 'Pipelines of the groups that the caller can read.',
  permission: readsPipelines,
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
  permission: readsPipelines,
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
  permission: readsPipelines,
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
  permission: readsPipelines,
  params: pipelineId,
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
  permission: readsPipelines,
  params: pipelineId,
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
  permission: writesPipelines,
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
  permission: writesPipelines,
  params: pipelineId,
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
  permission: writesPipelines,
  params: pipelineId,
  output: z.object({}),
  errors: ['pipelineNotFound', 'pipelineGroupForbidden'],
})
