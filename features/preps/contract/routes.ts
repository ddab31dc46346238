import { z } from 'zod'
import { defineRoute, largeBodyBytes, pageOf, pageQuery, queryBoolean, sortOrder } from '@headwater/contract'
import { dataPrepDefinition, dataPrepDetails, dataPrepSummary, type DataPrepInput } from './data-prep.ts'
import { prepSchedule, prepScheduleInput } from './schedule.ts'

const read = { resource: 'Storage', mode: 'R' } as const
const write = { resource: 'Storage/DataPreps', mode: 'RW' } as const

const id = z.object({
  id: z
    .string()
    .max(64)
    .transform((text) => text.trim().toLowerCase())
    .describe('Id of the data prep.'),
})
const name = z.object({
  groupName: z.string().max(200).describe('Name of the group it lies in.'),
  name: z.string().max(200).describe('Name of the data prep.'),
})
const version = z
  .union([z.number(), z.string().max(20)])
  .optional()
  .transform((given, context) => {
    if (given === undefined || /^(latest|null|none)?$/i.test(String(given).trim())) return undefined
    const number = Number(given)
    if (Number.isInteger(number) && number >= 1 && number <= 2 ** 31 - 1) return number
    context.addIssue({ code: 'custom', message: `“${given}” is neither a version, such as 3, nor latest.` })
    return z.NEVER
  })
  .describe('Number of the version, or `latest`. Default latest.')
const shown = {
  withMetadata: queryBoolean
    .default(false)
    .describe('Whether entries and resolved symbols carry the metadata that the symbols have now.'),
  resolvePattern: queryBoolean
    .default(false)
    .describe('Whether entries that may mean several symbols are resolved into those they mean now.'),
}

/** The definition, as `{"dataPrep": {...}}` or plainly; fields of errors are named from the definition on. */
const definition = z
  .transform((given: { dataPrep: DataPrepInput }) => given?.dataPrep ?? given)
  .pipe(dataPrepDefinition)

export const searchDataPreps = defineRoute({
  name: 'searchDataPreps',
  method: 'GET',
  path: '/dataprep',
  summary: 'Data preps of the groups that the caller can read.',
  permission: read,
  query: z.object({
    ...pageQuery(),
    query: z
      .string()
      .max(1000)
      .default('')
      .describe(
        'Part of the name in any letter case, or pairs joined by & (name, groupName, id); `*` is a wildcard. Without one a pair must match exactly.',
      ),
    groupName: z.string().max(200).optional().describe('Only those of the group with exactly this name.'),
    latest: queryBoolean
      .default(true)
      .describe('Only the newest version of each; false: every version is an item. Default true.'),
    sortBy: z.enum(['updated', 'name']).default('updated').describe('What to sort by, default updated.'),
    sortOrder: sortOrder.optional().describe('asc or desc; default desc for updated, asc for name.'),
  }),
  output: pageOf(dataPrepSummary),
})

export const getDataPrepByName = defineRoute({
  name: 'getDataPrepByName',
  method: 'GET',
  path: '/dataprep/name',
  summary: 'One version of a data prep by group and name.',
  permission: read,
  query: name.extend({
    version,
    latest: queryBoolean.optional().describe('true asks for the newest version whatever `version` says.'),
    ...shown,
  }),
  output: dataPrepDetails,
  errors: ['prepNotFound', 'lookupTooSlow', 'tooManyPatterns'],
})

export const listDataPrepVersionsByName = defineRoute({
  name: 'listDataPrepVersionsByName',
  method: 'GET',
  path: '/dataprep/name/versions',
  summary: 'All versions of a data prep by group and name, newest first.',
  permission: read,
  query: name.extend(pageQuery()),
  output: pageOf(dataPrepSummary),
  errors: ['prepNotFound'],
})

export const getDataPrep = defineRoute({
  name: 'getDataPrep',
  method: 'GET',
  path: '/dataprep/:id',
  summary: 'One version of a data prep by id.',
  permission: read,
  params: id,
  query: z.object({ version, ...shown }),
  output: dataPrepDetails,
  errors: ['prepNotFound', 'lookupTooSlow', 'tooManyPatterns'],
})

export const listDataPrepVersions = defineRoute({
  name: 'listDataPrepVersions',
  method: 'GET',
  path: '/dataprep/:id/versions',
  summary: 'All versions of a data prep by id, newest first.',
  permission: read,
  params: id,
  query: z.object(pageQuery()),
  output: pageOf(dataPrepSummary),
  errors: ['prepNotFound'],
})

const saveErrors = [
  'prepExists',
  'outputGroupNotFound',
  'outputGroupForbidden',
  'patternNeedsColumns',
  'entryNeedsGroup',
] as const

export const createDataPrep = defineRoute({
  name: 'createDataPrep',
  method: 'POST',
  path: '/dataprep',
  summary:
    'Saves a new data prep, or a copy of one. The body is `{"dataPrep": {…}}`; an id in it is ignored.',
  permission: write,
  body: definition,
  allowsProtoNames: true,
  bodyBytes: largeBodyBytes,
  output: dataPrepDetails,
  successStatus: 201,
  errors: saveErrors,
})

export const updateDataPrep = defineRoute({
  name: 'updateDataPrep',
  method: 'PUT',
  path: '/dataprep/:id',
  summary:
    'Saves a new version of a data prep; renames or moves it when name or group differ. The body is `{"dataPrep": {…}}` with the `version` it was edited from; when that is not the newest any more, nothing is saved.',
  permission: write,
  params: id,
  body: z
    .transform((given: { dataPrep: DataPrepInput & { version: number } }) => given?.dataPrep ?? given)
    .pipe(
      dataPrepDefinition.extend({
        version: z
          .int('Name the version that was edited, as it was read.')
          .min(1)
          .describe('Number of the version that was edited.'),
      }),
    ),
  allowsProtoNames: true,
  bodyBytes: largeBodyBytes,
  output: dataPrepDetails,
  errors: ['prepNotFound', 'prepChanged', ...saveErrors],
})

export const deleteDataPrep = defineRoute({
  name: 'deleteDataPrep',
  method: 'DELETE',
  path: '/dataprep/:id',
  summary: 'Deletes a data prep with all its versions. Files of its runs stay.',
  permission: write,
  params: id,
  output: z.object({}),
  errors: ['prepNotFound', 'outputGroupForbidden'],
})

export const runDataPrep = defineRoute({
  name: 'runDataPrep',
  method: 'POST',
  path: '/dataprep/:id/execute',
  summary:
    'Starts a run: the answer to the question of the data prep, with the rights of the caller, becomes a new version of the file `<name>.csv` of its group. The header X-KH-JOB-ID names the job too.',
  permission: write,
  params: id,
  query: z.object({ version }),
  output: z.object({ jobId: z.string().describe('The job; its statuses are at /status.') }),
  errors: [
    'prepNotFound',
    'outputGroupForbidden',
    'prepEmpty',
    'prepRunning',
    'fileInTheWay',
    'patternNeedsColumns',
    'entryNeedsGroup',
  ],
})

const scheduleOutput = z.object({
  schedule: prepSchedule.nullable().describe('The schedule; null when there is none.'),
})

export const getPrepSchedule = defineRoute({
  name: 'getPrepSchedule',
  method: 'GET',
  path: '/dataprep/:id/schedule',
  summary: 'When a data prep is run by itself.',
  permission: read,
  params: id,
  output: scheduleOutput,
  errors: ['prepNotFound'],
})

export const setPrepSchedule = defineRoute({
  name: 'setPrepSchedule',
  method: 'PUT',
  path: '/dataprep/:id/schedule',
  summary:
    'Sets when a data prep is run by itself, in place of what was set before. Its runs ask with the rights of the caller. Of the moments that pass while the server is stopped one is made up for.',
  permission: write,
  params: id,
  body: prepScheduleInput,
  output: scheduleOutput,
  errors: ['prepNotFound', 'outputGroupForbidden', 'scheduleUnreadable', 'scheduleZoneUnknown'],
})

export const removePrepSchedule = defineRoute({
  name: 'removePrepSchedule',
  method: 'DELETE',
  path: '/dataprep/:id/schedule',
  summary: 'Takes the schedule of a data prep away; without one nothing happens.',
  permission: write,
  params: id,
  output: z.object({}),
  errors: ['prepNotFound', 'outputGroupForbidden'],
})
