import { z } from 'zod'
import { defineRoute } from '@headwater/contract'

/** The state of the demo workspace. */
export const demoState = z.object({
  state: z
    .enum(['absent', 'loading', 'loaded', 'failed', 'removed'])
    .describe('absent: never loaded; failed: loading failed, and the next start retries.'),
  insights: z
    .array(
      z.object({
        groupName: z.string().describe('Group of the insight.'),
        insightName: z.string().describe('Name of the insight.'),
      }),
    )
    .describe('The insights of the demo workspace; empty for users who cannot read their group.'),
  groups: z.array(z.string()).describe('Names of its groups that exist and that the caller can read.'),
})
/** The state of the demo workspace, as a type. */
export type DemoState = z.infer<typeof demoState>

const remaining = z.int().min(0)
/** The effect of removing the demo workspace. */
export const demoRemoval = z.object({
  groups: z
    .array(
      z.object({
        name: z.string().describe('Name of the group.'),
        files: remaining.describe('Number of files that do not belong to the demo, without insights.'),
        insights: remaining.describe('Number of insights that do not belong to the demo or have changed.'),
        dataPreps: remaining.describe('Number of data preps that do not belong to the demo or have changed.'),
        pipelines: remaining.describe('Number of pipelines that do not belong to the demo or have changed.'),
      }),
    )
    .describe(
      'The groups of the demo that exist. A group with other content stays with that content; the others are deleted.',
    ),
})
/** The effect of removing the demo workspace, as a type. */
export type DemoRemoval = z.infer<typeof demoRemoval>

/** Route `GET /demo`. */
export const getDemo = defineRoute({
  name: 'getDemo',
  method: 'GET',
  path: '/demo',
  summary: 'The state of the demo workspace.',
  permission: 'signed-in',
  output: demoState,
})

/** Route `GET /demo/removal`. */
export const getDemoRemoval = defineRoute({
  name: 'getDemoRemoval',
  method: 'GET',
  path: '/demo/removal',
  summary: 'The groups that removing the demo workspace would delete, and what would stay in the others.',
  permission: { resource: 'Administrator', mode: 'R' },
  output: demoRemoval,
})

/** Route `DELETE /demo`. */
export const removeDemo = defineRoute({
  name: 'removeDemo',
  method: 'DELETE',
  path: '/demo',
  summary: 'Deletes the demo workspace permanently. Content that users saved in its groups remains.',
  permission: { resource: 'Administrator', mode: 'R' },
  output: demoState,
})
