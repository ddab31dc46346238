import { z } from 'zod'
import { defineRoute } from '@headwater/contract'

/** Kinds of workers. */
export const workerKinds = ['server', 'worker'] as const

/** A process that executes jobs. */
export const worker = z.object({
  id: z.string().describe('Id of the process, a UUID; each start has another one.'),
  name: z.string().describe('Name of the machine and id of the process on it, for example `lake-2 4711`.'),
  kind: z.enum(workerKinds).describe('server: with a web port; worker: executes jobs only.'),
  tags: z.array(z.string()).describe('Labels that the setting HEADWATER_WORKER_TAGS gives the process.'),
  version: z.string().describe('Version of the product.'),
  state: z
    .enum(['running', 'draining', 'lost'])
    .describe('draining: it finishes its jobs and takes no new ones; lost: no heartbeat for 15 s.'),
  startTime: z.string().describe('Time of its start: ISO date-time in UTC, without a zone.'),
  lastSeen: z.string().describe('Time of its last heartbeat: ISO date-time in UTC, without a zone.'),
})
/** A process that executes jobs, as a type. */
export type Worker = z.infer<typeof worker>

/** Route `GET /mgmt/worker`. */
export const listWorkers = defineRoute({
  name: 'listWorkers',
  method: 'GET',
  path: '/mgmt/worker',
  summary: 'The servers and workers of this installation by name; lost ones for a day. For administrators.',
  permission: { resource: 'Administrator', mode: 'R' },
  output: z.object({ items: z.array(worker).describe('The processes.') }),
})
