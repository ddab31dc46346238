import { z } from 'zod'
import { defineRoute } from '@headwater/contract'

/** Default group of the shortcuts. */
export const defaultIndexGroup = 'Prod_Indexes'

/** Symbol keys that the shortcuts use to find an index. */
export const indexKeys = ['Code', 'Period', 'PeriodType', 'TimeRef'] as const

/** Metadata with the module of an index. */
export const moduleMetadata = 'IndexModule'

const text = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((given) => (Array.isArray(given) ? given.join(',') : given))

const symbolValues = (what: string) =>
  text.describe(`${what}: comma-separated values; \`*\` matches any text. Default \`*\`.`)

const sharedParameters = {
  Code: symbolValues('Codes of indexes'),
  Group: text.describe(`The group; default ${defaultIndexGroup}.`),
  Module: text.describe(
    `Only indexes whose metadata ${moduleMetadata} is one of these comma-separated values; \`*\` matches any text.`,
  ),
}

/** Route that returns points of indexes. Parameter names are accepted regardless of case; repeated parameters count as one list. */
export const getIndex = defineRoute({
  name: 'getIndex',
  method: 'GET',
  path: '/index',
  summary:
    'Returns points of indexes as CSV, or as a JSON list of rows for callers that accept application/json. Other parameters are conditions: `metadata.<Name>=…` selects indexes, `<Column>=…` selects points.',
  permission: 'signed-in',
  allowsRunTokens: true,
  query: z.looseObject({
    ...sharedParameters,
    Period: symbolValues('Periods'),
    PeriodType: symbolValues('Types of period'),
    TimeRef: symbolValues('Time references'),
    Module: sharedParameters.Module.describe(
      `Modules instead of Code, Period, PeriodType and TimeRef: only indexes whose metadata ${moduleMetadata} is one of these.`,
    ),
    From: text.describe(
      'First day or time: `today`, `3d`, `2m` or `1y` for that many days, months or years ago, `all`, an ISO date or date-time; or `5v` for the last 5 values of each index. Default: the start of today.',
    ),
    To: text.describe('Last day or time, written like From. Default: the end of today.'),
    Delta: text.describe('True: From and To are insertion times. Default false.'),
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
    'queryRefused',
    'seriesUnavailable',
  ],
})

/** Route that lists indexes with their metadata. */
export const getCatalogue = defineRoute({
  name: 'getCatalogue',
  method: 'GET',
  path: '/catalogue',
  summary: `Returns one row for each index with its symbol and metadata, as CSV, or as a JSON list for callers that accept application/json. The header Fields limits the columns to a comma-separated list of names; equal rows are then returned once. If you cannot read ${defaultIndexGroup}, its catalogue has no rows.`,
  permission: 'signed-in',
  allowsRunTokens: true,
  query: z
    .looseObject({
      ...sharedParameters,
      NoModule: text.describe(`True: includes indexes without ${moduleMetadata}. Default false: omits them.`),
    })
    .describe(
      'Parameters `field.<Name>=…` are conditions on a key or metadata with comma-separated values; `*` matches any text.',
    ),
  errors: ['groupNotFound', 'lookupTooSlow'],
})
