import { z } from 'zod'
import { defineRoute } from '@headwater/contract'

/** Group that the shortcuts ask when none is named. */
export const defaultIndexGroup = 'Prod_Indexes'

/** Symbol keys of an index, by which the shortcuts find it. */
export const indexKeys = ['Code', 'Period', 'PeriodType', 'TimeRef'] as const

/** Metadata that says to which module an index belongs. */
export const moduleMetadata = 'IndexModule'

const text = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((given) => (Array.isArray(given) ? given.join(',') : given))

const symbolValues = (what: string) =>
  text.describe(`${what}: values with commas between them; \`*\` stands for any text. Default \`*\`.`)

const sharedParameters = {
  Code: symbolValues('Codes of indexes'),
  Group: text.describe(`The group; default ${defaultIndexGroup}.`),
  Module: text.describe(
    `Only indexes whose metadata ${moduleMetadata} is one of these, with commas between them; \`*\` stands for any text.`,
  ),
}

/** Names of parameters may be written in any letter case; the values of a name that comes several times count as one list. */
export const getIndex = defineRoute({
  name: 'getIndex',
  method: 'GET',
  path: '/index',
  summary:
    'Points of indexes in few words, as CSV, or as a JSON list of rows for a caller who accepts application/json. Other parameters are conditions: `metadata.<Name>=…` chooses indexes, `<Column>=…` chooses points.',
  permission: 'signed-in',
  query: z.looseObject({
    ...sharedParameters,
    Period: symbolValues('Periods'),
    PeriodType: symbolValues('Types of period'),
    TimeRef: symbolValues('Time references'),
    Module: sharedParameters.Module.describe(
      `Modules instead of Code, Period, PeriodType and TimeRef: only indexes whose metadata ${moduleMetadata} is one of these.`,
    ),
    From: text.describe(
      'First day or moment: `today`, `3d`, `2m` or `1y` for so many days, months or years ago, `all`, an ISO date or date-time; or `5v` for the last 5 values of each index. Default today, from its begin.',
    ),
    To: text.describe('Last day or moment, written like From. Default today, to its end.'),
    Delta: text.describe('True: From and To are times of insertion. Default false.'),
    Metadata: text.describe(
      'True: with metadata. only: one row for each index with its metadata and without points. Default false.',
    ),
    Order: text.describe('asc or desc by timestamp. Default desc.'),
    Timezone: text.describe('IANA zone of the dates. Default UTC.'),
  }),
  errors: [
    'groupNotFound',
    'noSuchTimeZone',
    'tooManyPatterns',
    'lookupTooSlow',
    'questionRefused',
    'seriesUnavailable',
  ],
})

export const getCatalogue = defineRoute({
  name: 'getCatalogue',
  method: 'GET',
  path: '/catalogue',
  summary:
    'One row for each index with its symbol and metadata, as CSV, or as a JSON list for a caller who accepts application/json. The header Fields limits the columns, names with commas between them; rows that are then equal come once.',
  permission: 'signed-in',
  query: z
    .looseObject({
      ...sharedParameters,
      NoModule: text.describe(`True: without the column ${moduleMetadata}. Default false.`),
    })
    .describe(
      'Parameters `field.<Name>=…` are conditions on a key or metadata, with commas between values; `*` stands for any text.',
    ),
  errors: ['groupNotFound', 'lookupTooSlow'],
})
