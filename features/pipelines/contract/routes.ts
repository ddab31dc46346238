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
  summary: 'Pipelines in groups that the caller can read.',
  permission: readsPipelines,
  query: z.object({
    ...pageQuery(),
    query: z
      .string()
      .max(1000)
      .default('')
      .describe(
        'Part of the name, regardless of case, or pairs joined by & (name, groupName, tag, id). `*` is a wildcard; a pair without a wildcard must match exactly.',
      ),
    latest: queryBoolean
      .default(true)
      .describe('Whether to return only the newest version of each pipeline. Default true.'),
    triggerType: z
      .enum(triggerTypes)
      .default('ANY')
      .describe('Only pipelines with this trigger. Default ANY: all pipelines.'),
    tag: z.string().max(100).optional().describe('Only pipelines with exactly this tag. Default: all.'),
    taskName: z
      .string()
      .max(200)
      .optional()
      .describe(
        'Only pipelines that use the task with this name and the group in `taskGroup`. Default: all.',
      ),
    taskGroup: z
      .string()
      .max(200)
      .default('')
      .describe('Group of the task in `taskName`; empty if it is built in. Default: empty.'),
    favorite: queryBoolean
      .optional()
      .describe('true: only favourites of the caller; false: only other pipelines. Default: all.'),
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
  summary: 'One version of a pipeline, by group and name.',
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
    'The newest version of a pipeline by group and name, for programs that do not know whether the pipeline exists.',
  permission: readsPipelines,
  query: getPipelineByName.query.omit({ version: true }),
  output: z.object({
    pipeline: pipelineDetails
      .nullable()
      .describe('The pipeline; null if the caller can read no pipeline with this name.'),
  }),
})

/** Returns a version of a pipeline by id. */
export const getPipeline = defineRoute({
  name: 'getPipeline',
  method: 'GET',
  path: '/mgmt/pipeline/:pipelineId',
  summary: 'One version of a pipeline, by id.',
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
  query: z.object({
    ...pageQuery(),
    favorite: queryBoolean
      .optional()
      .describe(
        'true: only if the caller marked the pipeline as a favourite; false: only if not. Default: both.',
      ),
  }),
  output: pageOf(pipeline),
  errors: ['pipelineNotFound'],
})

/** Lists the versions of a pipeline by name. */
export const listPipelineVersionsByName = defineRoute({
  name: 'listPipelineVersionsByName',
  method: 'GET',
  path: '/mgmt/pipeline/versions',
  summary: 'All versions of a pipeline, by group and name, newest first.',
  permission: readsPipelines,
  query: z.object({
    ...pageQuery(),
    pipelineName: z.string().max(300).describe('Name of the pipeline.'),
    groupName: z.string().max(300).describe('Group of the pipeline.'),
    query: z
      .string()
      .max(200)
      .default('')
      .describe("Version number, or part of the author's name, regardless of case. Default: all."),
  }),
  output: pageOf(pipeline),
  errors: ['pipelineNotFound'],
})

/** Lists the tags of pipelines. */
export const listPipelineTags = defineRoute({
  name: 'listPipelineTags',
  method: 'GET',
  path: '/mgmt/pipeline/tags',
  summary: 'Tags of the pipelines that the caller can read, without duplicates.',
  permission: readsPipelines,
  query: z.object({
    ...pageQuery(),
    query: z.string().max(200).default('').describe('Part of the tag, regardless of case. Default: all.'),
    sortOrder: sortOrder.default('asc').describe('asc or desc. Default asc.'),
  }),
  output: pageOf(z.string()),
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
    'Saves a new pipeline. A `cron-trigger` task runs it on a schedule, with the access of the latest author.',
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
    'Saves a new version of a pipeline, and renames or moves it if the name or group differs. Rejects the save if a version newer than the edited one exists.',
  permission: writesPipelines,
  params: pipelineId,
  body: pipelineInput.extend({
    pipelineId: z.string().max(64).optional().describe('Id of the pipeline; ignored.'),
    version: z.int().min(1).optional().describe('Number of the edited version. Default: the newest.'),
  }),
  bodyBytes: largeBodyBytes,
  output: pipelineDetails,
  errors: ['pipelineNotFound', 'pipelineChanged', ...saveErrors],
})

/** Changes fields of a pipeline without a new version. */
export const patchPipeline = defineRoute({
  name: 'patchPipeline',
  method: 'PATCH',
  path: '/mgmt/pipeline/:pipelineId',
  summary:
    'Changes the name or tags of the newest version of a pipeline without creating a new version. The author and date of the version remain unchanged.',
  permission: writesPipelines,
  params: pipelineId,
  body: z.object({
    objToUpdate: z
      .object({
        name: pipelineInput.shape.name.optional().describe('New name. Absent: unchanged.'),
        tags: pipelineInput.shape.tags.unwrap().optional().describe('New list of tags. Absent: unchanged.'),
      })
      .refine(
        ({ name, tags }) => name !== undefined || tags !== undefined,
        'Set name or tags. A patch cannot change other fields.',
      )
      .describe('The changed fields.'),
    version: z
      .int()
      .min(1)
      .optional()
      .describe('Number of the version that the change is based on. Default: the newest.'),
  }),
  output: z.object({ pipeline: pipeline.describe('The changed pipeline.') }),
  errors: ['pipelineNotFound', 'pipelineChanged', 'pipelineExists', 'pipelineGroupForbidden'],
})

/** Deletes a pipeline. */
export const deletePipeline = defineRoute({
  name: 'deletePipeline',
  method: 'DELETE',
  path: '/mgmt/pipeline/:pipelineId',
  summary: 'Deletes a pipeline with all of its versions and its schedule, and stops its runs.',
  permission: writesPipelines,
  params: pipelineId,
  output: z.object({}),
  errors: ['pipelineNotFound', 'pipelineGroupForbidden'],
})
