import { z } from 'zod'
import { defineRoute, largeBodyBytes, pageOf, queryBoolean } from '@headwater/contract'
import { dataBatch } from './data-batch.ts'
import { dataQuery, dataQueryParameters } from './data-query.ts'
import {
  maxSymbolKeys,
  symbol,
  symbolBranch,
  symbolGroup,
  symbolKey,
  symbolMap,
  valueColumn,
} from './symbol.ts'

/** Maximum number of symbols on a page. */
export const maxSymbolPage = 10_000

/** Number of matches at which a search stops counting. */
export const countedSymbols = 1000

/** Maximum page size for which points are counted. */
export const maxCountedPage = 1000

// Access to groups decides which data a caller sees. Insights, search and spreadsheets read data too, so these routes
// need no separate entitlement.
const permission = 'signed-in'

const query = z
  .string()
  .max(4000)
  .default('')
  .describe(
    'Pairs joined by `&`: `groupName=…`, `groupName.keyword=…` (exactly this group), `symbols.<Key>=…`, `metadata.<Key>=…`; the rest is free text over keys, values, columns and metadata. `*` matches any text. Key names and free text are case-insensitive; values are case-sensitive. `symbols.<Key>=` without a value finds symbols without this key. Date metadata is in UTC, and `metadata.<Key>=2024-01-31` matches midnight of that day.',
  )

const from = z.coerce
  .number<string | number | undefined>()
  .int()
  .min(0)
  .default(0)
  .describe('Index of the first item to return, from 0.')

function sizeUpTo(max: number, fallback: number) {
  return z.coerce
    .number<string | number | undefined>()
    .int()
    .min(1)
    .max(max)
    .default(fallback)
    .describe(`Number of items to return, 1 to ${max}, default ${fallback}.`)
}

const sortBy = z.string().max(1000).default('')

/**
 * Clients that do not encode `query` send its pairs as parameters with dots in their names; these count as part of the
 * query.
 */
const searchParameters = z.looseObject({
  query,
  access: z
    .enum(['R', 'RW', 'RWS'])
    .default('R')
    .describe('Only groups to which the caller has this access: R, RW or RWS. Default R.'),
  exactMatch: queryBoolean
    .default(false)
    .describe(
      'Whether the query matches exactly: `*` is an ordinary character, a group name must be equal, and the free text must equal the whole value of a key or metadata. Default false.',
    ),
  valuesOnly: queryBoolean
    .default(false)
    .describe(
      'Whether the free text is searched in the values of symbol keys only, not in names, metadata and columns. Default false.',
    ),
  sortBy: sortBy.describe(
    'Pairs `field=asc` or `field=desc` joined by `&`; a field is `symbols.<Key>`, `metadata.<Key>`, `groupName`, `firstDate` or `lastDate`. Default: order of creation.',
  ),
  sort: sortBy.describe('Alias of sortBy; sortBy takes precedence.'),
  provider: z
    .string()
    .max(200)
    .default('')
    .describe('Name of the provider. It is ignored, because there is only one.'),
})

/** Route that searches symbols. */
export const searchSymbols = defineRoute({
  name: 'searchSymbols',
  method: 'GET',
  path: '/ts/symbol/search',
  summary: 'Searches symbols in the groups that the caller can read.',
  permission,
  allowsRunTokens: true,
  query: searchParameters.extend({
    size: sizeUpTo(maxSymbolPage, 1000),
    pageSize: z.coerce
      .number<string | number | undefined>()
      .int()
      .min(1)
      .max(maxSymbolPage)
      .optional()
      .describe('Alias of size; takes precedence.'),
    from,
    collapse: z
      .string()
      .max(1000)
      .default('')
      .describe(
        'Only the first symbol for each distinct value of this field: `groupName`, `symbols.<Key>` or `metadata.<Key>`; `true` means groupName. Default: all symbols.',
      ),
    exactTotal: queryBoolean
      .default(false)
      .describe(
        `Whether all matching symbols are counted. By default counting stops at ${countedSymbols} or after the page; then totalIsAtLeast is true. Without conditions all are counted.`,
      ),
    pointCount: queryBoolean
      .default(false)
      .describe(
        `Whether the points of each symbol are counted. Counting takes longer; only with a size up to ${maxCountedPage}. Default false.`,
      ),
  }),
  output: pageOf(symbol).extend({
    totalIsAtLeast: z
      .boolean()
      .optional()
      .describe(
        'Whether there can be more than totalSize symbols; totalSize is then greater than the number of items up to the end of this page. Absent = false.',
      ),
  }),
  errors: ['lookupTooSlow', 'tooManyToCount', 'seriesUnavailable'],
})

/** Route that streams all matching symbols. */
export const streamSymbols = defineRoute({
  name: 'streamSymbols',
  method: 'GET',
  path: '/ts/symbol/search/stream',
  summary: 'Streams all matching symbols as one JSON document in the form of the search.',
  permission,
  allowsRunTokens: true,
  query: searchParameters,
  errors: ['lookupTooSlow'],
})

/** Route that lists values of a symbol key. */
export const listSymbolValues = defineRoute({
  name: 'listSymbolValues',
  method: 'POST',
  isAudited: false,
  path: '/ts/symbol/values',
  summary: 'Lists the distinct values of a symbol key in a group.',
  permission,
  allowsRunTokens: true,
  query: z.object({
    from,
    limit: sizeUpTo(maxSymbolPage, 1000),
    sort: z
      .string()
      .transform((text) => text.toLowerCase())
      .pipe(z.enum(['asc', 'desc']))
      .default('asc')
      .describe('ASC or DESC, default ASC.'),
  }),
  body: z.object({
    groupName: z.string().max(200).describe('The group.'),
    key: z.string().max(1000).describe('Name of the symbol key, case-insensitive.'),
    query: z
      .string()
      .max(1000)
      .default('')
      .describe('Part of the value, case-insensitive; `*` matches any text.'),
    symbols: symbolMap
      .refine(
        (map) => Object.keys(map).length <= maxSymbolKeys,
        `At most ${maxSymbolKeys} entries are allowed.`,
      )
      .default({})
      .describe(`Only symbols with these values, at most ${maxSymbolKeys}; \`*\` stands for any text.`),
  }),
  output: pageOf(z.string()),
  errors: ['groupNotFound', 'lookupTooSlow'],
})

const symbolConditions = symbolMap
  .refine((map) => Object.keys(map).length <= maxSymbolKeys, `At most ${maxSymbolKeys} entries are allowed.`)
  .default({})

/** Route that lists symbol keys and metadata names. */
export const listSymbolKeys = defineRoute({
  name: 'listSymbolKeys',
  method: 'POST',
  isAudited: false,
  path: '/ts/symbol/keys',
  summary: 'Lists the names of the symbol keys of a group and, on request, of its metadata.',
  permission,
  allowsRunTokens: true,
  body: z.object({
    groupName: z.string().max(200).describe('The group.'),
    query: z.string().max(1000).default('').describe('Part of the name, regardless of case.'),
    symbols: symbolConditions.describe(
      `Only names that occur in symbols with these values, at most ${maxSymbolKeys}; \`*\` stands for any text.`,
    ),
    metadata: queryBoolean
      .default(false)
      .describe('Whether names of metadata are listed too. Default false.'),
    omitRequiredKeys: queryBoolean
      .default(false)
      .describe('Whether keys in `symbols` are omitted. Default false.'),
    useSearchEngine: queryBoolean
      .default(true)
      .describe(
        'Accepted for compatibility with existing clients. It has no effect: the names are always read from the database. Default true.',
      ),
    sort: z
      .string()
      .transform((text) => text.toLowerCase())
      .pipe(z.enum(['asc', 'desc']))
      .default('asc')
      .describe('Direction of the names within each kind: ASC or DESC, default ASC.'),
    from,
    size: sizeUpTo(maxSymbolPage, 1000),
  }),
  output: pageOf(symbolKey),
  errors: ['groupNotFound', 'lookupTooSlow'],
})

/** Route that lists values of a symbol key with their number of symbols. */
export const listSymbolBranches = defineRoute({
  name: 'listSymbolBranches',
  method: 'POST',
  isAudited: false,
  path: '/ts/symbol/branches',
  summary:
    'Lists the distinct values of a symbol key in a group with the number of symbols for each; for trees.',
  permission,
  allowsRunTokens: true,
  body: z.object({
    groupName: z.string().max(200).describe('The group.'),
    key: z.string().max(1000).describe('Name of the symbol key, case-insensitive.'),
    symbols: symbolConditions.describe(
      `Only symbols with these values, at most ${maxSymbolKeys}, exactly as stored; an empty value means symbols without the key.`,
    ),
    query: z.string().max(1000).default('').describe('Part of the value, regardless of case.'),
    from,
    size: sizeUpTo(maxSymbolPage, 1000),
  }),
  output: pageOf(symbolBranch),
  errors: ['groupNotFound', 'lookupTooSlow'],
})

/** Route that lists value columns. */
export const listValueColumns = defineRoute({
  name: 'listValueColumns',
  method: 'GET',
  path: '/ts/symbol/columns',
  summary: 'Lists the value columns in which the symbols of a group have data, by name ascending.',
  permission,
  allowsRunTokens: true,
  query: z.object({
    groupName: z.string().max(200).describe('The group.'),
    query: query.describe(
      'Only columns of symbols that match this search; in the grammar of the symbol search.',
    ),
  }),
  output: pageOf(valueColumn),
  errors: ['groupNotFound'],
})

/** Route that lists groups with symbols. */
export const listSymbolGroups = defineRoute({
  name: 'listSymbolGroups',
  method: 'GET',
  path: '/ts/symbol/groups',
  summary: 'Lists the readable groups that contain symbols, by name ascending.',
  permission,
  allowsRunTokens: true,
  query: z.object({
    query: z.string().max(200).default('').describe('Part of the name, regardless of case.'),
    from,
    size: sizeUpTo(1000, 100),
  }),
  output: pageOf(symbolGroup),
})

/** Route that lists the symbols of a file. */
export const listSymbolsInFile = defineRoute({
  name: 'listSymbolsInFile',
  method: 'GET',
  path: '/ts/symbol/file/:fid',
  summary: 'Lists the symbols in an ingested NCSV file.',
  permission,
  allowsRunTokens: true,
  params: z.object({ fid: z.string().max(64).describe('Id of the file.') }),
  query: z.object({ from, size: sizeUpTo(maxSymbolPage, 1000) }),
  output: pageOf(symbol),
  errors: ['fileWithoutSymbols'],
})

const dataErrors = [
  'noSuchTimeZone',
  'noKeys',
  'keyWithoutGroup',
  'patternWithoutFlag',
  'tooManyPatterns',
  'tooManySymbols',
  'lookupTooSlow',
  'queryRefused',
  'pageTokenNotValid',
  'pagesGone',
  'accessChanged',
  'noSuchHolidayCalendar',
  'groupNotFound',
  'seriesUnavailable',
] as const

/** Header with the total number of rows, before limits are applied and before points are selected for drawing. */
export const totalRowsHeader = 'X-KH-TOTAL-ROWS'

/** Route that runs a data query. */
export const getData = defineRoute({
  name: 'getData',
  method: 'POST',
  isAudited: false,
  path: '/ts',
  summary:
    'Returns points of symbols as NCSV text, JSON or an Arrow stream. The response is streamed. Sums, means and filled values outside the range of doubles are empty; the header X-KH-OVERFLOWS contains their number in the whole result, before `size`. With `countRows` or `drawPoints`, the header X-KH-TOTAL-ROWS contains the total number of rows.',
  permission,
  allowsRunTokens: true,
  query: dataQueryParameters,
  body: dataQuery,
  allowsProtoNames: true,
  bodyBytes: largeBodyBytes,
  errors: dataErrors,
})

/** Route that runs several data queries. */
export const streamDataBatch = defineRoute({
  name: 'streamDataBatch',
  method: 'POST',
  isAudited: false,
  path: '/ts/batch',
  summary:
    'Returns the results of several data queries in one stream, each as soon as it is ready. Every frame is a line of JSON (the index `query`, then `contentType`, `length`, `done` or `error`); a line with `length` is followed by that many bytes of the result.',
  permission,
  allowsRunTokens: true,
  body: dataBatch,
  allowsProtoNames: true,
  bodyBytes: largeBodyBytes,
})

/** Alias of {@link getData}. */
export const streamData = defineRoute({
  name: 'streamData',
  method: 'POST',
  isAudited: false,
  path: '/ts/stream',
  summary: 'Same as `POST /ts`.',
  permission,
  allowsRunTokens: true,
  query: dataQueryParameters,
  body: dataQuery,
  allowsProtoNames: true,
  bodyBytes: largeBodyBytes,
  errors: dataErrors,
})
