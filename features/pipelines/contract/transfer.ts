import { z } from 'zod'
import { defineRoute, largeBodyBytes } from '@headwater/contract'
import { maxPipelineTasks, pipelineDetails, pipelineInput, pipelineTaskInput } from './pipeline.ts'
import { pipelineId, readsPipelines, writesPipelines } from './route-parts.ts'
import { maxTriggers, triggerInput } from './triggers.ts'

/** A pipeline as a file, without secrets. */
export const pipelineFile = z.object({
  format: z.literal('headwater-pipeline').describe('Format of the file.'),
  formatVersion: z.literal(1).describe('Version of the format.'),
  pipeline: pipelineInput
    .omit({ markdownId: true })
    .extend({
      tasks: z
        .array(pipelineTaskInput.omit({ taskId: true, nextTasks: true, taskCategory: true }))
        .max(maxPipelineTasks, `A pipeline can have at most ${maxPipelineTasks} tasks.`)
        .describe('Tasks, in any order. Parameters contain the names of secrets, never their values.'),
    })
    .describe('The newest version of the pipeline.'),
  triggers: z
    .array(triggerInput)
    .max(maxTriggers)
    .default([])
    .describe('Triggers, without secrets. An import adds them switched off.'),
})
/** A pipeline as a file. */
export type PipelineFile = z.output<typeof pipelineFile>

/** Exports a pipeline. */
export const exportPipeline = defineRoute({
  name: 'exportPipeline',
  method: 'GET',
  path: '/mgmt/pipeline/:pipelineId/export',
  summary: 'Returns the newest version of a pipeline with its triggers as one file, without secrets.',
  permission: readsPipelines,
  params: pipelineId,
  output: pipelineFile,
  errors: ['pipelineNotFound'],
})

const change = z.object({
  id: z.string().describe('Id of the task.'),
  name: z.string().describe('Name of the task in the pipeline.'),
  kind: z.enum(['added', 'removed', 'changed']).describe('Kind of the change.'),
  fields: z.array(z.string()).describe('Changed fields and parameters.'),
})

/** Preview of an import. */
export const importPreview = z.object({
  action: z
    .enum(['create', 'update'])
    .describe('create: a new pipeline; update: a new version of the pipeline with this group and name.'),
  name: z.string().describe('Name of the pipeline.'),
  groupName: z.string().describe('Group of the pipeline.'),
  version: z.int().nullable().describe('Newest version of the existing pipeline; null for a new one.'),
  groups: z
    .array(
      z.object({
        from: z.string().describe('Name in the file.'),
        to: z.string().describe('Name in this installation.'),
        access: z
          .enum(['R', 'RW', 'RS', 'RWS'])
          .nullable()
          .describe(
            'Access of the caller to the group in this installation; null if there is no access or no such group.',
          ),
      }),
    )
    .describe('Groups that the pipeline uses.'),
  missingTasks: z
    .array(z.string())
    .describe(
      'Names, within the pipeline, of tasks that do not exist in this installation. The import fails while any are missing.',
    ),
  changes: z
    .object({
      fields: z.array(z.string()).describe('Changed fields of the pipeline.'),
      tasks: z.array(change).describe('Changed tasks.'),
    })
    .describe('Changes to an existing pipeline. In a new pipeline, all tasks are added.'),
  triggers: z.int().describe('Number of triggers that are added. They are switched off.'),
  notes: z.array(z.string()).describe('Messages about what the import omits or switches off.'),
})
/** Preview of an import. */
export type ImportPreview = z.output<typeof importPreview>

/** Imports a pipeline. */
export const importPipeline = defineRoute({
  name: 'importPipeline',
  method: 'POST',
  path: '/mgmt/pipeline/import',
  summary:
    'Previews or executes the import of a pipeline from a file. It runs nothing, and all schedules and triggers remain off until a user switches them on.',
  permission: writesPipelines,
  body: z.object({
    file: pipelineFile.describe('The file, as returned by exportPipeline.'),
    groupName: z
      .string()
      .trim()
      .max(200)
      .optional()
      .describe('Group of the imported pipeline. Default: the group in the file, after the mapping.'),
    name: pipelineInput.shape.name
      .optional()
      .describe('Name of the imported pipeline. Default: the name in the file.'),
    groups: z
      .array(
        z.object({
          from: z.string().max(200).describe('Name of a group in the file.'),
          to: z.string().trim().min(1).max(200).describe('Name of the group in this installation.'),
        }),
      )
      .max(500)
      .default([])
      .describe('Groups that replace groups in the file, in tasks, parameters and triggers. Default: none.'),
    version: z
      .int()
      .min(1)
      .optional()
      .describe(
        'Version of the existing pipeline that the import replaces. Without it, an existing name is an error.',
      ),
    dryRun: z.boolean().default(true).describe('Whether to return only the preview. Default true.'),
  }),
  bodyBytes: largeBodyBytes,
  output: z.object({
    preview: importPreview.describe('Preview of the changes.'),
    saved: pipelineDetails.nullable().describe('The imported pipeline; null for a preview.'),
  }),
  errors: [
    'pipelineExists',
    'pipelineChanged',
    'pipelineNotFound',
    'pipelineGroupNotFound',
    'pipelineGroupForbidden',
    'pipelineInvalid',
    'taskNotFound',
    'paramUnknown',
    'scriptGiven',
    'scheduleUnreadable',
    'scheduleZoneUnknown',
  ],
})
