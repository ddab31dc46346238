import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useCan } from '@headwater/accounts/web'
import { isRunOver, useRun } from '@headwater/statuses/web'
import { errorMessage } from '@headwater/web-kit'
import type { Task } from '../../contract/index.ts'
import type { ParamValues } from '../params/TaskParamsForm.tsx'

/** Calls that run tasks. The pipelines feature provides them, because it comes later in the dependency order. */
export interface TaskRunner {
  /** Starts a run with these input values and returns its job id. */
  start: (task: Task, values: ParamValues) => Promise<string>
  /** Stops a run; undefined if the user has no permission to stop runs. */
  stop: ((jobId: string) => Promise<void>) | undefined
}

/**
 * State and actions of the run in the creator: its inputs, its job (the id is in the URL), and the calls that start and stop
 * it.
 */
export function useTaskRun(taskId: string | undefined, { start, stop }: TaskRunner) {
  const canSee = useCan()('Statuses')
  const navigate = useNavigate()
  const jobId = useSearchParams()[0].get('jobId') || undefined
  const { data: job, error } = useRun(canSee ? jobId : undefined)
  const [inputs, setInputs] = useState<{ taskId: string | undefined; values: ParamValues }>({
    taskId,
    values: {},
  })
  const [isStarting, setStarting] = useState(false)
  const [problem, setProblem] = useState<string>()
  // A new task retains its inputs when it gets its id.
  if (inputs.taskId !== taskId) {
    setInputs({ taskId, values: inputs.taskId === undefined ? inputs.values : {} })
    if (inputs.taskId !== undefined) setProblem(undefined)
  }
  return {
    jobId,
    /** The job of the run; undefined while it loads, null if the user cannot see it. */
    job: canSee ? job : null,
    error,
    isRunning: isStarting || (jobId !== undefined && !!job && !isRunOver(job)),
    /** Reason why the last run did not start. */
    problem,
    values: inputs.values,
    setValues: (change: ParamValues): void => {
      setProblem(undefined)
      setInputs((current) => ({ ...current, values: { ...current.values, ...change } }))
    },
    /** Starts a run with the values of these inputs. */
    async start(task: Task, names: readonly string[]): Promise<void> {
      setStarting(true)
      setProblem(undefined)
      try {
        const values = Object.entries(inputs.values).filter(([name]) => names.includes(name))
        const next = new URLSearchParams(window.location.search)
        next.set('jobId', await start(task, Object.fromEntries(values)))
        await navigate({ search: next.toString() }, { replace: true })
      } catch (failure) {
        setProblem(errorMessage(failure))
      } finally {
        setStarting(false)
      }
    },
    stop: stop && jobId !== undefined ? () => stop(jobId) : undefined,
  }
}

/** The run in the creator. */
export type TaskRun = ReturnType<typeof useTaskRun>
