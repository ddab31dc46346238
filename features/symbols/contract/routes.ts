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

/** Largest page of symbols. */
export const maxSymbolPage = 10_000

/** Where a search stops counting. */
export const countedSymbols = 1000

/** Largest page whose points are counted. */
export const maxCountedPage = 1000

// Which data a caller sees is decided by the groups they may read: insights, search and spreadsheets ask for data too, so
// no area of the product is asked for here.
const permission = 'signed-in'

const query = z
  .string()
  .max(4000)
  .default('')
  .describe(
    'Pairs joined by `&`: `groupName=…`, `groupName.keyword=…` (exactly this group), `symbols.<Key>=…`, `metadata.<Key>=…`; what is left is free text over keys, values, columns and metadata. `*` stands for any text. Key names and free text in any letter case, values as written. `symbols.<Key>=` with nothing behind it finds symbols without this key. Metadata of dates is in UTC here, and `metadata.<Key>=2024-01-31` finds that midnight.',
  )

const from = z.coerce
  .number<string | number | undefined>()
  .int()
  .min(0)
  .default(0)
  .describe('Index of the first item wanted, counted from 0.')

function sizeUpTo(max: number, fallback: number) {
  return z.coerce
    .number<string | number | undefined>()
    .int()
    .min(1)
    .max(max)
    .default(fallback)
    .describe(`Number of items wanted, 1 to ${max}, default ${fallback}.`)
}

const sortBy = z.string().max(1000).default('')

/** Parameters with dots in their names, which clients that forget to encode `query` send, count as part of it. */
const searchParameters = z.looseObject({
  query,
  access: z
    .enum(['R', 'RW', 'RWS'])
    .default('R')
    .describe('Only groups that the caller can use at this mode: R, RW or RWS. Default R.'),
  exactMatch: queryBoolean
    .default(false)
    .describe(
      'Whether everything in the query is meant as a whole: `*` is a star, a group is meant by its very name, and the free text is the whole value of a key or of metadata. Default false.',
    ),
  valuesOnly: queryBoolean
    .default(false)
    .describe(
      'Whether the free text is looked for in the values of symbol keys only, not in names, metadata and columns. Default false.',
    ),
  sortBy: sortBy.describe(
    'Pairs `field=asc` or `field=desc` joined by `&`; a field is `symbols.<Key>`, `metadata.<Key>`, `groupName`, `firstDate` or `lastDate`. Default: in order of first arrival.',
  ),
  sort: sortBy.describe('The same as sortBy, which wins.'),
  provider: z
    .string()
    .max(200)
    .default('')
    .describe('Name of the provider that is asked; there is one, so every name means it.'),
})

export const searchSymbols = defineRoute({
  name: 'searchSymbols',
  method: 'GET',
  path: '/ts/symbol/search',
  summary: 'Symbols of the groups that the caller can read.',
  permission,
  query: searchParameters.extend({
    size: sizeUpTo(maxSymbolPage, 1000),
    pageSize: z.coerce
      .number<string | number | undefined>()
      .int()
      .min(1)
      .max(maxSymbolPage)
      .optional()
      .describe('The same as size, and wins.'),
    from,
    collapse: z
      .string()
      .max(1000)
      .default('')
      .describe(
        'Only the first symbol of each different value of this field: `groupName`, `symbols.<Key>` or `metadata.<Key>`; `true` means groupName. Default: all symbols.',
      ),
    exactTotal: queryBoolean
      .default(false)
      .describe(
        `Whether all symbols found are counted. By default a search that finds many stops counting at ${countedSymbols}, or behind the page; then totalIsAtLeast is true. Without conditions all are counted.`,
      ),
    pointCount: queryBoolean
      .default(false)
      .describe(
        `Whether the points of each symbol are counted, which takes time; only with a size up to ${maxCountedPage}. Default false.`,
      ),
  }),
  output: pageOf(symbol).extend({
    totalIsAtLeast: z
      .boolean()
      .optional()
      .describe(
        'Whether there may be more than totalSize, which then is greater than the index behind the last item of this page. Absent = false.',
      ),
  }),
  errors: ['lookupTooSlow', 'tooManyToCount', 'seriesUnavailable'],
})

export const streamSymbols = defineRoute({
  name: 'streamSymbols',
  method: 'GET',
  path: '/ts/symbol/search/stream',
  summary:
    'All symbols that the query finds as one JSON document of the shape of the search, written as it is read.',
  permission,
  query: searchParameters,
  errors: ['lookupTooSlow'],
})

export const listSymbolValues = defineRoute({
  name: 'listSymbolValues',
  method: 'POST',
  path: '/ts/symbol/values',
  summary: 'The different values of one symbol key in a group.',
  permission,
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
    key: z.string().max(1000).describe('Name of the symbol key, in any letter case.'),
    query: z
      .string()
      .max(1000)
      .default('')
      .describe('Part of the value, in any letter case; `*` stands for any text.'),
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

export const listSymbolKeys = defineRoute({
  name: 'listSymbolKeys',
  method: 'POST',
  path: '/ts/symbol/keys',
  summary: 'Names of the symbol keys of a group, and of its metadata when asked for.',
  permission,
  body: z.object({
    groupName: z.string().max(200).describe('The group.'),
    query: z.string().max(1000).default('').describe('Part of the name, in any letter case.'),
    symbols: symbolConditions.describe(
      `Only names that symbols with these values have, at most ${maxSymbolKeys}; \`*\` stands for any text.`,
    ),
    metadata: queryBoolean
      .default(false)
      .describe('Whether names of metadata are listed too. Default false.'),
    omitRequiredKeys: queryBoolean
      .default(false)
      .describe('Whether the keys that `symbols` names are left out. Default false.'),
    useSearchEngine: queryBoolean
      .default(true)
      .describe(
        'Accepted for compatibility with existing clients, without effect: the names are always read from the database. Default true.',
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

export const listSymbolBranches = defineRoute({
  name: 'listSymbolBranches',
  method: 'POST',
  path: '/ts/symbol/branches',
  summary:
    'The different values of one symbol key in a group, with the number of symbols of each; for trees.',
  permission,
  body: z.object({
    groupName: z.string().max(200).describe('The group.'),
    key: z.string().max(1000).describe('Name of the symbol key, in any letter case.'),
    symbols: symbolConditions.describe(
      `Only symbols with these values, at most ${maxSymbolKeys}, letter for letter; an empty value means symbols without the key.`,
    ),
    query: z.string().max(1000).default('').describe('Part of the value, in any letter case.'),
    from,
    size: sizeUpTo(maxSymbolPage, 1000),
  }),
  output: pageOf(symbolBranch),
  errors: ['groupNotFound', 'lookupTooSlow'],
})

export const listValueColumns = defineRoute({
  name: 'listValueColumns',
  method: 'GET',
  path: '/ts/symbol/columns',
  summary: 'Value columns that the symbols of a group have data in, by name ascending.',
  permission,
  query: z.object({
    groupName: z.string().max(200).describe('The group.'),
    query: query.describe(
      'Only columns of symbols that this search finds; the grammar of the symbol search.',
    ),
  }),
  output: pageOf(valueColumn),
  errors: ['groupNotFound'],
})

export const listSymbolGroups = defineRoute({
  name: 'listSymbolGroups',
  method: 'GET',
  path: '/ts/symbol/groups',
  summary: 'Groups with symbols that the caller can read, by name ascending.',
  permission,
  query: z.object({
    query: z.string().max(200).default('').describe('Part of the name, in any letter case.'),
    from,
    size: sizeUpTo(1000, 100),
  }),
  output: pageOf(symbolGroup),
})

export const listSymbolsInFile = defineRoute({
  name: 'listSymbolsInFile',
  method: 'GET',
  path: '/ts/symbol/file/:fid',
  summary: 'Symbols that an ingested NCSV file names.',
  permission,
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
  'questionRefused',
  'pageTokenNotValid',
  'pagesGone',
  'noSuchHolidayCalendar',
  'groupNotFound',
  'seriesUnavailable',
] as const

/** Header of the number of rows there are, before a limit and before points were chosen for drawing. */
export const totalRowsHeader = 'X-KH-TOTAL-ROWS'

export const getData = defineRoute({
  name: 'getData',
  method: 'POST',
  path: '/ts',
  summary:
    'Points of symbols, as NCSV text, JSON or an Arrow stream. The answer is written as it is read; see the data query. Sums, means and filled values that a double cannot hold are empty; the header X-KH-OVERFLOWS then says how many there are in the whole answer, before `size`. With `countRows` or `drawPoints` the header X-KH-TOTAL-ROWS says how many rows there are.',
  permission,
  query: dataQueryParameters,
  body: dataQuery,
  allowsProtoNames: true,
  bodyBytes: largeBodyBytes,
  errors: dataErrors,
})

export const streamDataBatch = defineRoute({
  name: 'streamDataBatch',
  method: 'POST',
  path: '/ts/batch',
  summary:
    'Answers several data queries in one stream, each as soon as it is ready. Every frame is a line of JSON (`question`, then `contentType`, `length`, `done` or `error`); after a `length` come as many bytes of that answer.',
  permission,
  body: dataBatch,
  allowsProtoNames: true,
  bodyBytes: largeBodyBytes,
})

export const streamData = defineRoute({
  name: 'streamData',
  method: 'POST',
  path: '/ts/stream',
  summary: 'The same as `POST /ts`.',
  permission,
  query: dataQueryParameters,
  body: dataQuery,
  allowsProtoNames: true,
  bodyBytes: largeBodyBytes,
  errors: dataErrors,
})
