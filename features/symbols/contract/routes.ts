import { z } from 'zod'
import { defineRoute, pageOf } from '@headwater/contract'
import { dataQuery, dataQueryParameters } from './data-query.ts'
import { maxSymbolKeys, symbol, symbolGroup, symbolKey, symbolMap, valueColumn } from './symbol.ts'

/** Largest page of symbols. */
export const maxSymbolPage = 10_000

// Which data a caller sees is decided by the groups they may read: insights, search and spreadsheets ask for data too, so
// no area of the product is asked for here.
const permission = 'signed-in'

const query = z
  .string()
  .max(4000)
  .default('')
  .describe(
    'Pairs joined by `&`: `groupName=…`, `groupName.keyword=…` (exactly this group), `symbols.<Key>=…`, `metadata.<Key>=…`; what is left is free text over keys, values, columns and metadata. `*` stands for any text. Key names and free text in any letter case, values as written. Free text of one or two characters finds beginnings of words.',
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

/** Parameters with dots in their names, which clients that forget to encode `query` send, count as part of it. */
const searchParameters = z.looseObject({
  query,
  sortBy: z
    .string()
    .max(1000)
    .default('')
    .describe(
      'Pairs `field=asc` or `field=desc` joined by `&`; a field is `symbols.<Key>`, `metadata.<Key>`, `groupName`, `firstDate` or `lastDate`. Default: in order of first arrival.',
    ),
})

export const searchSymbols = defineRoute({
  name: 'searchSymbols',
  method: 'GET',
  path: '/ts/symbol/search',
  summary: 'Symbols of the groups that the caller can read.',
  permission,
  query: searchParameters.extend({ size: sizeUpTo(maxSymbolPage, 1000), from }),
  output: pageOf(symbol),
  errors: ['lookupTooSlow'],
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

export const listSymbolKeys = defineRoute({
  name: 'listSymbolKeys',
  method: 'POST',
  path: '/ts/symbol/keys',
  summary: 'Names of the symbol keys of a group, and of its metadata when asked for.',
  permission,
  body: z.object({
    groupName: z.string().max(200).describe('The group.'),
    query: z.string().max(1000).default('').describe('Part of the name, in any letter case.'),
    metadata: z.boolean().default(false).describe('Whether names of metadata are listed too. Default false.'),
    from,
    size: sizeUpTo(maxSymbolPage, 1000),
  }),
  output: pageOf(symbolKey),
  errors: ['groupNotFound'],
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
  'notADate',
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

export const getData = defineRoute({
  name: 'getData',
  method: 'POST',
  path: '/ts',
  summary:
    'Points of symbols, as NCSV text, JSON or an Arrow stream. The answer is written as it is read; see the data query.',
  permission,
  query: dataQueryParameters,
  body: dataQuery,
  allowsProtoNames: true,
  errors: dataErrors,
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
  errors: dataErrors,
})
