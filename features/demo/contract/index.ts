import { z } from 'zod'
import { defineRoute } from '@headwater/contract'

/** The state of the demo workspace. */
export const demoState = z.object({
  state: z
    .enum(['absent', 'loading', 'loaded', 'failed', 'removed'])
    .describe('absent: never asked for; failed: it could not be loaded, the next start tries again.'),
  insight: z
    .object({
      groupName: z.string().describe('Group it lies in.'),
      insightName: z.string().describe('Its name.'),
    })
    .describe('The insight of the demo workspace.'),
  groups: z.array(z.string()).describe('Names of the groups it consists of; they are deleted with it.'),
})
export type DemoState = z.infer<typeof demoState>

export const getDemo = defineRoute({
  name: 'getDemo',
  method: 'GET',
  path: '/demo',
  summary: 'Whether the demo workspace is there.',
  permission: 'signed-in',
  output: demoState,
})

export const removeDemo = defineRoute({
  name: 'removeDemo',
  method: 'DELETE',
  path: '/demo',
  summary: 'Deletes the groups of the demo workspace with everything in them. It does not come back.',
  permission: { resource: 'Administrator', mode: 'R' },
  output: demoState,
})
