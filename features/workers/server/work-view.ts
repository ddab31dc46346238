import type { HeldJob, KindLoad } from '@headwater/jobs'
import { formatUtcSeconds } from '@headwater/server-kit'
import { workKinds, type QueueLoad, type Worker, type WorkerJob, type WorkKind } from '../contract/index.ts'
import type { Slots } from './workers-store.ts'

/** Capacity of a process for a kind of work. */
export interface WorkLane extends Slots {
  /** Job kinds that belong to this kind of work. */
  jobKinds: readonly string[]
}

/** The job queues of this process. */
export interface WorkQueue {
  /** Returns the capacities. */
  lanes(): readonly WorkLane[]
  /** Pauses or resumes claiming jobs. Once a pause resolves, the process claims no more jobs. */
  pause(isPaused: boolean): Promise<void>
  /** Returns the waiting and running jobs of all processes. */
  load(): Promise<{ kinds: readonly KindLoad[]; running: readonly HeldJob[] }>
}

/** Name, run and start of a job. */
export interface JobDescription {
  /** Description, such as a pipeline and its task. */
  name: string
  /** Id of the run. */
  jobId: string
  /** Start of the attempt. */
  startedAt: Date
}

/** Returns descriptions of running jobs by job id; jobs without a description are absent. */
export type DescribeJobs = (jobs: readonly HeldJob[]) => Promise<ReadonlyMap<string, JobDescription>>

/** Returns the kind of work that a job kind belongs to. Unknown job kinds, for example from a later version, count as files. */
function workOf(jobKind: string, lanes: readonly WorkLane[]): WorkKind {
  return lanes.find(({ jobKinds }) => jobKinds.includes(jobKind))?.kind ?? 'files'
}

/** Returns the capacity of a process and the jobs that it runs. */
export function processView(
  { queueOwner, slots }: { queueOwner: string; slots: readonly Slots[] },
  running: readonly HeldJob[],
  described: ReadonlyMap<string, JobDescription>,
  lanes: readonly WorkLane[],
): Pick<Worker, 'capacity' | 'jobs'> {
  const own = queueOwner === '' ? [] : running.filter(({ owner }) => owner.startsWith(`${queueOwner} `))
  const jobs = own.map((job): WorkerJob => {
    const description = described.get(job.id)
    return {
      id: job.id,
      kind: workOf(job.kind, lanes),
      name: description?.name ?? job.kind,
      jobId: description?.jobId ?? null,
      startTime: description === undefined ? null : formatUtcSeconds(description.startedAt),
    }
  })
  const capacity = slots.map((lane) => ({
    ...lane,
    running: jobs.filter(({ kind }) => kind === lane.kind).length,
  }))
  return { capacity, jobs }
}

/** Returns the queue by kind of work, with the capacity of all processes that accept new jobs. */
export function queueView(
  processes: readonly Pick<Worker, 'state' | 'capacity'>[],
  kinds: readonly KindLoad[],
  lanes: readonly WorkLane[],
): QueueLoad[] {
  const taking = processes.filter(({ state }) => state === 'running').flatMap(({ capacity }) => capacity)
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
  return workKinds.map((kind) => {
    const own = kinds.filter((load) => workOf(load.kind, lanes) === kind)
    return {
      kind,
      slots: sum(taking.filter((lane) => lane.kind === kind).map(({ slots }) => slots)),
      running: sum(own.map((load) => load.running)),
      waiting: sum(own.map((load) => load.waiting)),
      delayed: sum(own.map((load) => load.delayed)),
      longestWaitMs: Math.max(0, ...own.map((load) => Math.round(load.longestWaitMs))),
    }
  })
}
