import { z } from 'zod'
import { defineRoute, pageQuery, queryBoolean } from '@headwater/contract'

export { usageErrors } from './errors.ts'

/** Types of objects whose usage can be requested. */
export const usedTypes = ['FILE', 'GROUP', 'SYMBOL', 'TASK', 'DATA_PREP'] as const
/** One of {@link usedTypes}. */
export type UsedType = (typeof usedTypes)[number]
/** Maximum number of ids of file versions in one request. */
export const maxUsedFiles = 100

const taskAndVersion = z.object({
  readableName: z.string().describe('Name of the task in the pipeline.'),
  version: z
    .int()
    .nullable()
    .describe('Version of the task that the pipeline runs; null if the pipeline itself names the object.'),
})

/** A pipeline that uses an object. */
export const usageRow = z.object({
  id: z.string().describe('Id of the pipeline.'),
  name: z.string().describe('Name of the pipeline.'),
  version: z.int().describe('Number of its newest version, which uses the object.'),
  group: z.string().describe('Name of its group.'),
  taskAndVersions: z
    .array(taskAndVersion)
    .describe(
      'The tasks of the pipeline that use the object, by name; empty if the pipeline itself uses it.',
    ),
})
/** A pipeline that uses an object, as a type. */
export type UsageRow = z.infer<typeof usageRow>

/** Kinds of objects besides pipelines that use others. */
export const userKinds = ['task', 'data-prep', 'insight', 'insight-template', 'formula'] as const

/** An object that uses another one. */
export const usedBy = z.object({
  kind: z.enum(userKinds).describe('Kind of the object.'),
  id: z.string().describe('Id of the object; of a formula the id of its symbol.'),
  name: z.string().describe('Name of the object; of a formula its keys and values.'),
  version: z
    .int()
    .nullable()
    .describe('Number of its newest version, which uses the object; null for formulas.'),
  group: z.string().describe('Name of its group.'),
})
/** An object that uses another one, as a type. */
export type UsedBy = z.infer<typeof usedBy>

/** Route `GET /usage`. */
export const getUsage = defineRoute({
  name: 'getUsage',
  method: 'GET',
  path: '/usage',
  summary:
    'The pipelines, tasks, data preps, insights, templates and formulas that use an object. Those that the caller cannot read are only counted.',
  permission: 'signed-in',
  query: z.object({
    ...pageQuery(),
    type: z.enum(usedTypes).default('FILE').describe('Type of the object. Default FILE.'),
    name: z
      .string()
      .max(300)
      .default('')
      .describe('Name of the object; of a group its own name. Unused for symbols.'),
    groupName: z.string().max(200).default('').describe('Group of the object. Unused for groups.'),
    fileType: z
      .string()
      .max(64)
      .default('')
      .describe('Only versions of a file that have this type, regardless of case. Default: all.'),
    fids: z
      .string()
      .max(maxUsedFiles * 37)
      .default('')
      .describe(
        `Ids of versions of files, separated by commas, at most ${maxUsedFiles}: restricts the result to users of these versions, instead of all versions of the file with the name. A file is also used by its name if these are all of its versions. Objects that name one of its series use it, too.`,
      ),
    symbols: z
      .string()
      .max(100_000)
      .default('')
      .describe('Keys and values of a symbol as a JSON object with string values.'),
    outside: queryBoolean
      .default(false)
      .describe('Whether objects in the group itself are omitted; for groups only. Default false.'),
  }),
  output: z.object({
    pipelineAndTasks: z
      .array(usageRow)
      .describe('Pipelines on this page, with the tasks through which they use the object. They come first.'),
    others: z.array(usedBy).describe('Other objects on this page, by name; formulas come last.'),
    from: z.int().describe('Number of skipped objects.'),
    totalSize: z.int().describe('Number of all objects that use it and that the caller can read.'),
    hidden: z.int().describe('Number of objects that use it and that the caller cannot read.'),
  }),
  errors: ['groupNotFound', 'usedObjectNotFound', 'tooManyFiles', 'tooManyUsageRequests', 'lookupTooSlow'],
})
