import { z } from 'zod'
import { defineRoute } from '@headwater/contract'

/** The product configuration: what a deployment may set, readable by everybody before sign-in. */
export const productConfiguration = z.object({
  title: z.string().describe('Page title.'),
  icon: z.string().describe('URL of the page icon.'),
  logo: z.string().describe('URL of the logo in the sidebar.'),
  version: z.string().describe('Version text of the deployment, default `{ip}`.'),
  sharing_enabled: z
    .enum(['true', 'false'])
    .describe('Whether objects can be shared and producers are read.'),
  api_keys_enabled: z.enum(['true', 'false']).describe('Whether users may have API keys.'),
  warehouse_only: z.enum(['true', 'false']).describe('Warehouse-only mode; shows Trash.'),
  unfinished_pages: z
    .enum(['true', 'false'])
    .describe('Whether the sidebar lists pages that do not work yet; for development, default false.'),
  symbols_search_index: z.enum(['true', 'false']).describe('Whether symbol lists use the search index.'),
  environment: z
    .string()
    .describe('Name of the environment, default `prod`; data access requests exist only in some.'),
  build: z.string().describe('`Local` on a local build, which shows a badge; otherwise empty.'),
  session_sample_rate: z
    .number()
    .min(0)
    .max(100)
    .describe('Of how many sessions in a hundred a monitoring script is told, default 100.'),
  session_replay_sample_rate: z
    .number()
    .min(0)
    .max(100)
    .describe('How many in a hundred of those sessions it may record for replay, default 20.'),
})
export type ProductConfiguration = z.infer<typeof productConfiguration>

export const getConfiguration = defineRoute({
  name: 'getConfiguration',
  method: 'GET',
  path: '/configuration',
  summary: 'The product configuration.',
  permission: 'public',
  output: productConfiguration,
})

export const reportError = defineRoute({
  name: 'reportError',
  method: 'POST',
  path: '/log/error',
  summary:
    'Takes an error that happened in a browser into the server log. Without sign-in at most 10 a minute per address.',
  permission: 'public',
  body: z.object({
    message: z.string().max(10_000).describe('What happened; control characters are removed.'),
    userName: z.string().max(320).default('').describe('Who saw it; the signed-in name wins.'),
    level: z.enum(['error', 'fatal']).default('error').describe('`fatal` for an exception nobody caught.'),
  }),
  output: z.object({}),
  successStatus: 202,
})
