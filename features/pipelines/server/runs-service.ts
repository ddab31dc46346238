import { triggerReference } from '@headwater/runs/contract'
import type { RunLimits } from '@headwater/runs/server'
import type { Executor, Principal } from '@headwater/server-kit'
import type { JobStatus } from '@headwater/statuses/contract'
import { pipelineErrors, type TriggerValues } from '../contract/index.ts'
import type { StoredPipeline } from './pipelines-store.ts'
import { repeatRun, type Repetition } from './repeat-run.ts'
import { decide, resumeRun, type RunChange } from './resume-run.ts'
import {
  requireOpenRun,
  requireReadableOpenRun,
  requireReadableRun,
  requireRunOfCaller,
} from './run-access.ts'
import { getLimits, setLimits, type LimitName } from './run-limits.ts'
import { skipsApproval, type RunPart } from './run-part.ts'
import type { RunsServiceDependencies } from './runs-dependencies.ts'
import { startPipelineRun, startTaskRun, type PipelineRunStart, type TaskCall } from './start-runs.ts'
import { listValues, readValue, requirePipeline, storeValue, type ValueName } from './stored-values.ts'

/** A run of all or some tasks of a pipeline. */
export interface StartedPart {
  /** The tasks that run. */
  part: RunPart
  /** Job id of an earlier run that provides the outputs of tasks that do not run. Default: none. */
  valuesOfJobId?: string | undefined
  /** Whether to run only tasks that have changed since that run, by default the latest run of the user. Default false. */
  changedOnly?: boolean
  /** Trigger values, by name. */
  triggerValues: TriggerValues
  /** Priority of the run. Default: the priority of the pipeline. */
  priority?: number | undefined
}

/** The runs service. */
export type RunsService = ReturnType<typeof createRunsService>

/** Creates the runs service. The feature `runs` executes the runs. */
export function createRunsService(deps: RunsServiceDependencies) {
  return {
    start: (principal: Principal, pipeline: StoredPipeline, start?: PipelineRunStart): Promise<string> =>
      startPipelineRun(deps, principal, pipeline, start),

    /** Starts a run of all or some tasks of a pipeline and returns its job id. */
    async startPart(
      principal: Principal,
      pipeline: StoredPipeline,
      { part, valuesOfJobId, changedOnly = false, triggerValues, priority }: StartedPart,
    ): Promise<string> {
      const own = [...(part.pinned ?? []), ...Object.keys(triggerValues)]
      // Otherwise a reader could send the group's secrets, which other inputs reference, to a URL of their
      // choice.
      if (own.length > 0 || skipsApproval(pipeline.content.tasks, part))
        await requirePipeline(deps, principal, pipeline.id, 'RW')
      const earlier =
        valuesOfJobId !== undefined
          ? await requireRunOfCaller(deps, principal, valuesOfJobId)
          : changedOnly
            ? await deps.runs.findOfPipeline(pipeline.id, principal.userId)
            : undefined
      if (earlier !== undefined && earlier.pipelineId !== pipeline.id) throw pipelineErrors.runNotFound()
      const values = earlier && (await deps.runs.values(earlier.id))
      return startPipelineRun(deps, principal, pipeline, {
        part,
        priority,
        earlier: values,
        changedSince:
          changedOnly && earlier && values ? { steps: await deps.runs.steps(earlier.id), values } : undefined,
        values: Object.fromEntries(
          Object.entries(triggerValues).map(([name, value]) => [triggerReference(name), value]),
        ),
      })
    },

    /** Waits up to `seconds` for a run to end or pause and returns its status. */
    async waitFor(jobId: string, seconds: number): Promise<JobStatus> {
      const run = await deps.runs.waitFor(jobId, seconds * 1000)
      if (run?.state === 'paused') return 'PAUSED'
      return run?.outcome ?? 'RUNNING'
    },

    startTask: (principal: Principal, call: TaskCall): Promise<string> => startTaskRun(deps, principal, call),

    /** Stops a run: aborts the tasks in progress and starts no others. */
    async stop(principal: Principal, jobId: string): Promise<void> {
      await deps.runs.stop([(await requireOpenRun(deps, principal, jobId)).id], undefined, principal.userName)
    },

    /** Stops the runs of pipelines, in the transaction that deletes the pipelines. */
    async stopRuns({ pipelineIds }: { pipelineIds: readonly string[] }, executor: Executor): Promise<void> {
      await deps.runs.stop(await deps.runs.openRuns(pipelineIds, executor), executor)
    },

    /** Continues a run before its paused tasks. */
    async continue(principal: Principal, jobId: string): Promise<void> {
      await resumeRun(deps, principal, await requireReadableOpenRun(deps, principal, jobId), [])
    },

    /** Continues a run with changes. */
    async resume(principal: Principal, jobId: string, changes: readonly RunChange[]): Promise<void> {
      await resumeRun(deps, principal, await requireReadableOpenRun(deps, principal, jobId), changes)
    },

    /** Approves or declines the paused tasks of a run. */
    async decide(principal: Principal, jobId: string, decision: Parameters<typeof decide>[3]): Promise<void> {
      await decide(deps, principal, await requireReadableOpenRun(deps, principal, jobId), decision)
    },

    /** Executes the tasks of a run again and returns the new job id. */
    async repeat(principal: Principal, jobId: string, repetition: Repetition): Promise<string> {
      return repeatRun(deps, principal, await requireReadableRun(deps, principal, jobId), repetition)
    },

    limits: (principal: Principal, name: LimitName): Promise<RunLimits> => getLimits(deps, principal, name),

    setLimits: (principal: Principal, limits: LimitName & RunLimits): Promise<RunLimits> =>
      setLimits(deps, principal, limits),

    value: (principal: Principal, name: ValueName) => readValue(deps, principal, name),

    listValues: (principal: Principal, of: Omit<ValueName, 'key'>) => listValues(deps, principal, of),

    storeValue: (principal: Principal, name: ValueName, value: string): Promise<void> =>
      storeValue(deps, principal, name, value),
  }
}
