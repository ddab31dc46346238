import { z } from 'zod'
import { defineRoute } from '@headwater/contract'
import { maxSymbolKeys } from './symbol.ts'

/** Group of the lake that requests for access to data lie in. */
export const dataRequestsGroup = 'DATA_REQUESTS'

/** Environments in which access to data may be requested; elsewhere there is nobody who reads the requests. */
export const dataRequestEnvironments: readonly string[] = ['ngpcd', 'prod', 'stage', 'stage-dw', 'dev']

const values = z
  .record(z.string().max(1000), z.string().max(4000))
  .refine((map) => Object.keys(map).length <= maxSymbolKeys, `At most ${maxSymbolKeys} entries are allowed.`)

/** What somebody wants to see of a group. */
export const requestedData = z.object({
  symbols: values.default({}).describe('Keys and values of the symbol; empty for the whole group.'),
  metadata: values.default({}).describe('Metadata of the symbols that are meant.'),
  pattern: z
    .boolean()
    .default(false)
    .describe('Whether `*` in the values stands for any text. Default false.'),
})

/** A request for access to data that a tile shows and the user cannot reach. */
export const dataAccessRequest = z.object({
  insightName: z.string().max(255).default('').describe('The insight in which it came up.'),
  insightGroup: z.string().max(200).default('').describe('The group of the insight.'),
  tileTitle: z.string().max(1000).default('').describe('Title of the tile.'),
  requestedData: z
    .record(z.string().min(1).max(200), requestedData)
    .refine((map) => Object.keys(map).length > 0, 'Name at least one group.')
    .refine((map) => Object.keys(map).length <= 1000, 'At most 1000 groups are allowed.')
    .describe('What is wanted, by name of the group; 1 to 1000 groups.'),
})
export type DataAccessRequest = z.output<typeof dataAccessRequest>

export const requestDataAccess = defineRoute({
  name: 'requestDataAccess',
  method: 'POST',
  path: '/ts/dataAccessRequest',
  summary: `Puts a record of data that the caller wants to see into the group ${dataRequestsGroup}, for administrators to read.`,
  permission: 'signed-in',
  body: dataAccessRequest,
  output: z.object({
    fileId: z.string().describe('Id of the file with the record.'),
    fileName: z.string().describe('Its name.'),
  }),
  successStatus: 201,
  errors: ['dataRequestsNotAvailable'],
})
