import { z } from 'zod'
import { defineRoute } from '@headwater/contract'
import { maxSymbolKeys } from './symbol.ts'

/** Name of the group that stores requests for access to data. */
export const dataRequestsGroup = 'DATA_REQUESTS'

/** Environments in which users can request access to data. Nobody reads the requests in other environments. */
export const dataRequestEnvironments: readonly string[] = ['ngpcd', 'prod', 'stage', 'stage-dw', 'dev']

const values = z
  .record(z.string().max(1000), z.string().max(4000))
  .refine((map) => Object.keys(map).length <= maxSymbolKeys, `At most ${maxSymbolKeys} entries are allowed.`)

/** Symbols of one group that a user requests access to. */
export const requestedData = z.object({
  symbols: values.default({}).describe('Keys and values of the symbol; empty for the whole group.'),
  metadata: values.default({}).describe('Metadata of the requested symbols.'),
  pattern: z.boolean().default(false).describe('Whether `*` in the values matches any text. Default false.'),
})

/** A request for access to data of a tile that the user cannot read. */
export const dataAccessRequest = z.object({
  insightName: z.string().max(255).default('').describe('Name of the insight that shows the data.'),
  insightGroup: z.string().max(200).default('').describe('Group of the insight.'),
  tileTitle: z.string().max(1000).default('').describe('Title of the tile.'),
  requestedData: z
    .record(z.string().min(1).max(200), requestedData)
    .refine((map) => Object.keys(map).length > 0, 'Name at least one group.')
    .refine((map) => Object.keys(map).length <= 1000, 'At most 1000 groups are allowed.')
    .describe('Requested data by name of the group; 1 to 1000 groups.'),
})
/** A parsed {@link dataAccessRequest}. */
export type DataAccessRequest = z.output<typeof dataAccessRequest>

/** Route that saves a request for access to data. */
export const requestDataAccess = defineRoute({
  name: 'requestDataAccess',
  method: 'POST',
  path: '/ts/dataAccessRequest',
  summary: `Requests access to data: saves the request as a file in the group ${dataRequestsGroup}, where administrators read it.`,
  permission: 'signed-in',
  body: dataAccessRequest,
  output: z.object({
    fileId: z.string().describe('Id of the file that holds the request.'),
    fileName: z.string().describe('Name of that file.'),
  }),
  successStatus: 201,
  errors: ['dataRequestsNotAvailable'],
})
