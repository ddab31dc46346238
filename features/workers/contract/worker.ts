import { z } from 'zod'
import { defineRoute } from '@headwater/contract'

/** Kinds of workers. */
export const workerKinds = ['server', 'worker'] as const

/**
 * Kinds of work with their own capacity: scripts of users; tasks that the server executes itself; starts of runs,
 * approvals and backfills (triggers); data preps; ingests and housekeeping (files).
 */
export const workKinds = ['scripts', 'tasks', 'triggers', 'data-preps', 'files'] as const
/** A kind of work with a capacity of its own. */
export type WorkKind = (typeof workKinds)[number]

const workKind = z.enum(workKinds).describe('Kind of work.')
const slots = z.int().min(0).describe('Maximum concurrent jobs of the kind.')
const running = z.int().min(0).describe('Number of running jobs of the kind.')

/** A running job. */
export const workerJob = z.object({
  id: z.string().describe('Id of the job in the queue.'),
  kind: workKind,
  name: z
    .string()
    .describe(
      'Description of the job: pipeline and task of a step, otherwise the name of the kind of job, such as `ingest-ncsv`.',
    ),
  jobId: z.string().nullable().describe('Id of the run; null for other jobs.'),
  startTime: z
    .string()
    .nullable()
    .describe('Start of the attempt: ISO date-time in UTC, without a zone; null if it is not recorded.'),
})
/** A running job. */
export type WorkerJob = z.infer<typeof workerJob>

/** A process that executes jobs. */
export const worker = z.object({
  id: z.string().describe('Id of the process, a UUID that is new at each start.'),
  name: z.string().describe('Name of the machine and id of the process on it, for example `lake-2 4711`.'),
  kind: z.enum(workerKinds).describe('server: with a web port; worker: executes jobs only.'),
  tags: z.array(z.string()).describe('Labels that the setting HEADWATER_WORKER_TAGS gives the process.'),
  version: z.string().describe('Version of the product.'),
  state: z
    .enum(['running', 'draining', 'lost'])
    .describe('draining: it finishes its jobs and takes no new ones; lost: no heartbeat for 15 s.'),
  startTime: z.string().describe('Time of its start: ISO date-time in UTC, without a zone.'),
  lastSeen: z.string().describe('Time of its last heartbeat: ISO date-time in UTC, without a zone.'),
  isDrainRequested: z.boolean().describe('Whether an administrator has stopped it from taking new jobs.'),
  capacity: z
    .array(z.object({ kind: workKind, slots, running }))
    .describe('Capacity and use by kind of work; empty if it executes no jobs.'),
  jobs: z.array(workerJob).describe('The jobs that it runs.'),
})
/** A process that executes jobs, as a type. */
export type Worker = z.infer<typeof worker>

/** Jobs of a kind of work that have not ended, in all processes. */
export const queueLoad = z.object({
  kind: workKind,
  slots: z
    .int()
    .min(0)
    .describe('Maximum number of concurrent jobs of the kind on all processes that take new jobs.'),
  running,
  waiting: z.int().min(0).describe('Number of jobs that could start now.'),
  delayed: z.int().min(0).describe('Number of jobs that start or are retried later.'),
  longestWaitMs: z
    .int()
    .min(0)
    .describe('Maximum time that a waiting job has been ready to start, in ms; 0 if none waits.'),
})
/** Jobs of a kind of work that have not ended. */
export type QueueLoad = z.infer<typeof queueLoad>

/** Route `GET /mgmt/worker`. */
export const listWorkers = defineRoute({
  name: 'listWorkers',
  method: 'GET',
  path: '/mgmt/worker',
  summary:
    'The servers and workers of this installation by name, lost ones for a day, and the jobs that wait in the queue. For administrators.',
  permission: { resource: 'Administrator', mode: 'R' },
  output: z.object({
    items: z.array(worker).describe('The processes.'),
    queue: z.array(queueLoad).describe('The queue by kind of work.'),
  }),
})

/** Route `PUT /mgmt/worker/:workerId/drain`. */
export const drainWorker = defineRoute({
  name: 'drainWorker',
  method: 'PUT',
  path: '/mgmt/worker/:workerId/drain',
  summary:
    'Stops a process from taking new jobs, or lets it continue. It finishes its current jobs. The change applies at its next heartbeat, after at most 5 s. For administrators.',
  permission: { resource: 'Administrator', mode: 'R' },
  params: z.object({ workerId: z.string().max(64).describe('Id of the process.') }),
  body: z.object({
    isDraining: z.boolean().describe('Whether it stops taking new jobs; false lets it continue.'),
  }),
  output: z.object({}),
  errors: ['workerNotFound'],
})
