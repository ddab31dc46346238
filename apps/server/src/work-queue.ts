import { dataPrepLane } from '@headwater/preps/server'
import { stepJobKinds, stepLanes, type Runs } from '@headwater/runs/server'
import type { DescribeJobs, WorkLane, WorkQueue } from '@headwater/workers/server'
import type { Services } from './services.ts'

/** Returns the job queues of this process as one, for the list of workers. */
export function createWorkQueue({ jobs, runJobs }: Pick<Services, 'jobs' | 'runJobs'>): WorkQueue {
  const kindsOf = (queue: Services['jobs'], names: Readonly<Record<string, WorkLane['kind']>>): WorkLane[] =>
    queue.lanes().map(({ name, capacity, kinds }) => ({
      kind: names[name] ?? 'files',
      slots: capacity,
      jobKinds: kinds,
    }))
  return {
    lanes: () => [
      ...kindsOf(runJobs, {
        [stepLanes.userCode]: 'scripts',
        [stepLanes.builtIn]: 'tasks',
        default: 'triggers',
      }),
      ...kindsOf(jobs, { [dataPrepLane]: 'data-preps', default: 'files' }),
    ],
    async pause(isPaused) {
      await Promise.all([jobs.pause(isPaused), runJobs.pause(isPaused)])
    },
    // Both queues share their table.
    load: () => jobs.load(),
  }
}

/** Describes jobs that execute steps by their run and task. */
export function describeSteps({ history }: Pick<Runs, 'history'>): DescribeJobs {
  const kinds: readonly string[] = Object.values(stepJobKinds)
  return async (jobs) => {
    const steps = jobs
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ id, payload }) => ({ id, runId: (payload as { runId: string }).runId }))
    const matches = await history.stepsOfJobs(steps)
    return new Map(
      [...matches].map(([id, { runId, runName, stepName, startedAt }]) => [
        id,
        { name: runName === stepName ? runName : `${runName} · ${stepName}`, jobId: runId, startedAt },
      ]),
    )
  }
}
