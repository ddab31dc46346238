import { z } from 'zod'
import { defineRoute } from '@headwater/contract'

/** The product configuration of a deployment. It is public, because clients need it before sign-in. */
export const productConfiguration = z.object({
  title: z.string().describe('Page title.'),
  icon: z.string().describe('URL of the page icon.'),
  logo: z.string().describe('URL of the logo in the sidebar.'),
  version: z.string().describe('Version text of the deployment, default `{ip}`.'),
  sharing_enabled: z.enum(['true', 'false']).describe('Whether objects can be shared.'),
  api_keys_enabled: z.enum(['true', 'false']).describe('Whether users can have API keys.'),
  warehouse_only: z.enum(['true', 'false']).describe('Warehouse-only mode; shows Trash.'),
  trash_days: z
    .number()
    .int()
    .describe('Number of days for which deleted groups, files and symbols can be restored, default 30.'),
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
    .describe('Percentage of sessions that a monitoring script reports, 0 to 100, default 100.'),
  session_replay_sample_rate: z
    .number()
    .min(0)
    .max(100)
    .describe('Percentage of those sessions that the script can record for replay, 0 to 100, default 20.'),
})
/** The product configuration, as a type. */
export type ProductConfiguration = z.infer<typeof productConfiguration>

/** Route `GET /configuration`. */
export const getConfiguration = defineRoute({
  name: 'getConfiguration',
  method: 'GET',
  path: '/configuration',
  summary: 'The product configuration.',
  permission: 'public',
  output: productConfiguration,
})

/** Route `POST /log/error`. */
export const reportError = defineRoute({
  name: 'reportError',
  method: 'POST',
  isAudited: false,
  path: '/log/error',
  summary:
    'Writes an error of a browser to the server log. Without sign-in, at most 10 per minute and address are accepted.',
  permission: 'public',
  body: z.object({
    message: z.string().max(10_000).describe('Error message; control characters are removed.'),
    userName: z
      .string()
      .max(320)
      .default('')
      .describe('Name of the user; ignored if the caller is signed in.'),
    level: z.enum(['error', 'fatal']).default('error').describe('`fatal` for an uncaught exception.'),
  }),
  output: z.object({}),
  successStatus: 202,
})
