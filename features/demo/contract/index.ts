import { z } from 'zod'
import { defineRoute } from '@headwater/contract'

/** The state of the demo workspace. */
export const demoState = z.object({
  state: z
    .enum(['absent', 'loading', 'loaded', 'failed', 'removed'])
    .describe('absent: never asked for; failed: it could not be loaded, the next start tries again.'),
  insights: z
    .array(
      z.object({
        groupName: z.string().describe('Group of the insight.'),
        insightName: z.string().describe('Name of the insight.'),
      }),
    )
    .describe('The insights of the demo workspace; empty for users who cannot read their group.'),
  groups: z
    .array(z.string())
    .describe('Names of the groups it consists of, as far as they are there and the caller can read them.'),
})
export type DemoState = z.infer<typeof demoState>

const kept = z.int().min(0)
/** What removing the demo workspace would take away, and what it would leave. */
export const demoRemoval = z.object({
  groups: z
    .array(
      z.object({
        name: z.string().describe('Name of the group.'),
        files: kept.describe('Files in it that are not of the demo, insights apart.'),
        insights: kept.describe('Insights in it that are not of the demo, or were changed since.'),
        dataPreps: kept.describe('Data preps in it that are not of the demo, or were changed since.'),
      }),
    )
    .describe(
      'The groups of the demo that are there. One with something that is not of the demo stays, with just that; the others are deleted.',
    ),
})
export type DemoRemoval = z.infer<typeof demoRemoval>

export const getDemo = defineRoute({
  name: 'getDemo',
  method: 'GET',
  path: '/demo',
  summary: 'Whether the demo workspace is there.',
  permission: 'signed-in',
  output: demoState,
})

export const getDemoRemoval = defineRoute({
  name: 'getDemoRemoval',
  method: 'GET',
  path: '/demo/removal',
  summary: 'What removing the demo workspace would take away, and what it would leave.',
  permission: { resource: 'Administrator', mode: 'R' },
  output: demoRemoval,
})

export const removeDemo = defineRoute({
  name: 'removeDemo',
  method: 'DELETE',
  path: '/demo',
  summary: 'Deletes the demo workspace; what users saved in its groups stays. It does not come back.',
  permission: { resource: 'Administrator', mode: 'R' },
  output: demoState,
})
