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
  groupName: z.string().max(200).describe('Name of its group.'),
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
const viewParameters = {
  withMetadata: queryBoolean
    .default(false)
    .describe('Whether entries and resolved symbols have the current metadata of the symbols.'),
  resolvePattern: queryBoolean
    .default(false)
    .describe('Whether entries that can match several symbols are resolved to their current matches.'),
}

/** The definition, either as `{"dataPrep": {...}}` or directly. Fields of errors are relative to the definition. */
const definition = z
  .transform((given: { dataPrep: DataPrepInput }) => given?.dataPrep ?? given)
  .pipe(dataPrepDefinition)

/** Route that searches data preps. */
export const searchDataPreps = defineRoute({
  name: 'searchDataPreps',
  method: 'GET',
  path: '/dataprep',
  summary: 'Searches data preps in the groups that the caller can read.',
  permission: read,
  query: z.object({
    ...pageQuery(),
    query: z
      .string()
      .max(1000)
      .default('')
      .describe(
        'Part of the name, regardless of case, or pairs joined by & (name, groupName, id); `*` is a wildcard. Without `*` a pair must match exactly.',
      ),
    groupName: z
      .string()
      .max(200)
      .optional()
      .describe('Only data preps of the group with exactly this name.'),
    latest: queryBoolean
      .default(true)
      .describe('Only the newest version of each; false: every version is an item. Default true.'),
    sortBy: z.enum(['updated', 'name']).default('updated').describe('Sort field, default updated.'),
    sortOrder: sortOrder.optional().describe('asc or desc; default desc for updated, asc for name.'),
  }),
  output: pageOf(dataPrepSummary),
})

/** Route that returns a data prep by name. */
export const getDataPrepByName = defineRoute({
  name: 'getDataPrepByName',
  method: 'GET',
  path: '/dataprep/name',
  summary: 'Returns a version of a data prep by group and name.',
  permission: read,
  query: name.extend({
    version,
    latest: queryBoolean.optional().describe('true returns the newest version regardless of `version`.'),
    ...viewParameters,
  }),
  output: dataPrepDetails,
  errors: ['prepNotFound', 'lookupTooSlow', 'tooManyPatterns'],
})

/** Route that lists versions by name. */
export const listDataPrepVersionsByName = defineRoute({
  name: 'listDataPrepVersionsByName',
  method: 'GET',
  path: '/dataprep/name/versions',
  summary: 'Lists all versions of a data prep by group and name, newest first.',
  permission: read,
  query: name.extend(pageQuery()),
  output: pageOf(dataPrepSummary),
  errors: ['prepNotFound'],
})

/** Route that returns a data prep by id. */
export const getDataPrep = defineRoute({
  name: 'getDataPrep',
  method: 'GET',
  path: '/dataprep/:id',
  summary: 'Returns a version of a data prep by id.',
  permission: read,
  params: id,
  query: z.object({ version, ...viewParameters }),
  output: dataPrepDetails,
  errors: ['prepNotFound', 'lookupTooSlow', 'tooManyPatterns'],
})

/** Route that lists versions by id. */
export const listDataPrepVersions = defineRoute({
  name: 'listDataPrepVersions',
  method: 'GET',
  path: '/dataprep/:id/versions',
  summary: 'Lists all versions of a data prep by id, newest first.',
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

/** Route that creates a data prep. */
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

/** Route that saves a new version. */
export const updateDataPrep = defineRoute({
  name: 'updateDataPrep',
  method: 'PUT',
  path: '/dataprep/:id',
  summary:
    'Saves a new version of a data prep; renames or moves it if the name or group differs. The body is `{"dataPrep": {…}}` with the `version` it was edited from; if a newer version exists, nothing is saved.',
  permission: write,
  params: id,
  body: z
    .transform((given: { dataPrep: DataPrepInput & { version: number } }) => given?.dataPrep ?? given)
    .pipe(
      dataPrepDefinition.extend({
        version: z
          .int('Send the version that was edited.')
          .min(1)
          .describe('Number of the version that was edited.'),
      }),
    ),
  allowsProtoNames: true,
  bodyBytes: largeBodyBytes,
  output: dataPrepDetails,
  errors: ['prepNotFound', 'prepChanged', ...saveErrors],
})

/** Route that deletes a data prep. */
export const deleteDataPrep = defineRoute({
  name: 'deleteDataPrep',
  method: 'DELETE',
  path: '/dataprep/:id',
  summary: 'Deletes a data prep with all its versions. Files of its runs remain.',
  permission: write,
  params: id,
  output: z.object({}),
  errors: ['prepNotFound', 'outputGroupForbidden'],
})

/** Route that starts a run. */
export const runDataPrep = defineRoute({
  name: 'runDataPrep',
  method: 'POST',
  path: '/dataprep/:id/execute',
  summary:
    'Starts a run: it runs the query with the access of the caller and writes the result as a new version of the file `<name>.csv` in its group. The header X-KH-JOB-ID also contains the job id.',
  permission: write,
  params: id,
  query: z.object({ version }),
  output: z.object({ jobId: z.string().describe('Id of the job; see /status.') }),
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

/** Route that stops a run. */
export const stopDataPrepRun = defineRoute({
  name: 'stopDataPrepRun',
  method: 'POST',
  path: '/dataprep/stop',
  summary:
    'Stops a run of a data prep. It writes no file. Users stop their own runs; users with write access to the data prep stop those of others.',
  permission: write,
  body: z.object({ jobId: z.string().max(64).describe('Id of the job of the run.') }),
  output: z.object({}),
  errors: ['prepRunNotFound'],
})

const scheduleOutput = z.object({
  schedule: prepSchedule.nullable().describe('The schedule; null without one.'),
})

/** Route that returns the schedule. */
export const getPrepSchedule = defineRoute({
  name: 'getPrepSchedule',
  method: 'GET',
  path: '/dataprep/:id/schedule',
  summary: 'Returns the schedule of a data prep.',
  permission: read,
  params: id,
  output: scheduleOutput,
  errors: ['prepNotFound'],
})

/** Route that sets the schedule. */
export const setPrepSchedule = defineRoute({
  name: 'setPrepSchedule',
  method: 'PUT',
  path: '/dataprep/:id/schedule',
  summary:
    'Sets or replaces the schedule of a data prep. Its runs have the access of the caller. If scheduled runs were missed while the server was down, one of them is started.',
  permission: write,
  params: id,
  body: prepScheduleInput,
  output: scheduleOutput,
  errors: ['prepNotFound', 'outputGroupForbidden', 'scheduleUnreadable', 'scheduleZoneUnknown'],
})

/** Route that removes the schedule. */
export const removePrepSchedule = defineRoute({
  name: 'removePrepSchedule',
  method: 'DELETE',
  path: '/dataprep/:id/schedule',
  summary: 'Removes the schedule of a data prep, if any.',
  permission: write,
  params: id,
  output: z.object({}),
  errors: ['prepNotFound', 'outputGroupForbidden'],
})
