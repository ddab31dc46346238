import { z } from 'zod'
import { defineRoute } from '@headwater/contract'

/** Kinds of workers. */
export const workerKinds = ['server', 'worker'] as const

/**
 * Kinds of work with a separate capacity: users' scripts; tasks that the server executes itself; starting runs, approvals and
 * backfills (triggers); data preps; ingests and housekeeping (files).
 */
export const workKinds = ['scripts', 'tasks', 'triggers', 'data-preps', 'files'] as const
/** A kind of work with a separate capacity. */
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
      'Description of the job: pipeline and task for a step, otherwise the job kind, such as `ingest-ncsv`.',
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
  id: z.string().describe('Id of the process: a new UUID at each start.'),
  name: z.string().describe('Host name and process id, for example `lake-2 4711`.'),
  kind: z.enum(workerKinds).describe('server: has a web port; worker: only executes jobs.'),
  tags: z.array(z.string()).describe('Labels of the process, from the setting HEADWATER_WORKER_TAGS.'),
  version: z.string().describe('Version of the product.'),
  state: z
    .enum(['running', 'draining', 'lost'])
    .describe('draining: it finishes its jobs and accepts no new ones; lost: no heartbeat for 15 s.'),
  startTime: z.string().describe('Start time of the process: ISO date-time in UTC, without a zone.'),
  lastSeen: z.string().describe('Time of the last heartbeat: ISO date-time in UTC, without a zone.'),
  isDrainRequested: z.boolean().describe('Whether an administrator has requested a drain.'),
  capacity: z
    .array(z.object({ kind: workKind, slots, running }))
    .describe('Capacity and usage by kind of work; empty if the process executes no jobs.'),
  jobs: z.array(workerJob).describe('The running jobs of the process.'),
})
/** A process that executes jobs, as a type. */
export type Worker = z.infer<typeof worker>

/** Unfinished jobs of a kind of work, in all processes. */
export const queueLoad = z.object({
  kind: workKind,
  slots: z
    .int()
    .min(0)
    .describe('Maximum number of concurrent jobs of the kind, on all processes that accept new jobs.'),
  running,
  waiting: z.int().min(0).describe('Number of jobs that could start now.'),
  delayed: z.int().min(0).describe('Number of jobs that are scheduled for later, including retries.'),
  longestWaitMs: z
    .int()
    .min(0)
    .describe(
      'Time for which the oldest waiting job has been ready to start, in ms; 0 if no job is waiting.',
    ),
})
/** Unfinished jobs of a kind of work, as a type. */
export type QueueLoad = z.infer<typeof queueLoad>

/** Route `GET /mgmt/worker`. */
export const listWorkers = defineRoute({
  name: 'listWorkers',
  method: 'GET',
  path: '/mgmt/worker',
  summary:
    'The servers and workers of this installation by name, including those lost within the last day, and the unfinished jobs in the queue. For administrators.',
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
    'Drains a process, so that it finishes its current jobs and accepts no new ones, or lets it accept jobs again. The change applies at its next heartbeat, within 5 s. For administrators.',
  permission: { resource: 'Administrator', mode: 'R' },
  params: z.object({ workerId: z.string().max(64).describe('Id of the process.') }),
  body: z.object({
    isDraining: z.boolean().describe('Whether to drain the process; false lets it accept jobs again.'),
  }),
  output: z.object({}),
  errors: ['workerNotFound'],
})
