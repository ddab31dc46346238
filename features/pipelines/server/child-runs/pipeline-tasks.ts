import { isClientError } from '@headwater/server-kit'
import { countOf } from '@headwater/contract'
import type { ChildrenTally, StepOutcome, StepWait, StepWork } from '@headwater/runs/server'
import {
  failed,
  input,
  libraryKind,
  openFile,
  output,
  when,
  type LibraryFiles,
  type TaskKind,
} from '@headwater/tasks/server'
import { loopTaskName, subPipelineTaskName } from '../../contract/index.ts'
import { itemsOf, linesOfFile, maxParallel, parallelOf, problemOfLoop } from './loop-items.ts'
import { startChildRun, type ChildPipeline, type ChildRunsDependencies } from './start-child-run.ts'

/** Dependencies of the kinds. Functions, because runs and pipelines are created after the kinds. */
export interface PipelineTasksDependencies extends ChildRunsDependencies {
  /** Reads the files with one item per line. */
  files: Pick<LibraryFiles, 'getReadable' | 'readContent'>
}

/** Pause before the next attempt to start a run if the user has too many runs. */
const laterMs = 5000
/** Maximum number of failed items in the output of a loop. */
const maxFailedItems = 100

const target = [
  input('pipeline', 'TEXT', 'Name of the pipeline. The newest version runs.'),
  input('group', 'GROUP', 'Group of the pipeline. Default: the group of this pipeline.', { optional: true }),
]

/** Creates the kinds of tasks that run other pipelines. */
export function createPipelineTasks(deps: PipelineTasksDependencies): TaskKind[] {
  return [createSubPipeline(deps), createLoop(deps)]
}

function createSubPipeline(deps: PipelineTasksDependencies): TaskKind {
  return {
    ...libraryKind,
    definitionId: subPipelineTaskName,
    definitionName: subPipelineTaskName,
    readableName: 'Run pipeline',
    category: 'Control',
    description:
      'Runs another pipeline and waits for it to end. The tasks of that pipeline read the value as `${trigger.item}`. The result of the run becomes the result of this task.',
    params: [
      ...target,
      input(
        'value',
        'LONG_TEXT',
        'Value for the pipeline; requires write access to its group. Default: none.',
        {
          optional: true,
        },
      ),
      output('Job', 'TEXT', 'Job id of the run.'),
      output('Status', 'TEXT', 'Result of the run: INFO, WARN or ERROR.'),
    ],
    repeatable: true,
    async run(work) {
      const { value = '' } = work.inputs
      const result = await runChildren(deps, work, {
        pipeline: pipelineOf(work, value !== ''),
        parallel: 1,
        stopsAtError: true,
        items: () => [value],
      })
      if ('wait' in result) return result.wait
      const { outcome, message, jobId = '' } = (await work.children.first()) ?? {}
      if (outcome === undefined) throw new Error('The run of the pipeline has no result.')
      const outputs = { Job: jobId, Status: outcome }
      if (outcome === 'INFO') return { status: 'INFO', message: 'The pipeline succeeded.', outputs }
      return { status: outcome, message: message || 'The pipeline did not succeed.', outputs }
    },
  }
}

function createLoop(deps: PipelineTasksDependencies): TaskKind {
  return {
    ...libraryKind,
    definitionId: loopTaskName,
    definitionName: loopTaskName,
    readableName: 'For each',
    category: 'Control',
    description:
      'Runs another pipeline once for each item and waits for all runs. The tasks of that pipeline read the item as `${trigger.item}` and its position, from 1, as `${trigger.index}`.',
    params: [
      ...target,
      input('each', 'CHOICE', 'Source of the items. Default list.', {
        choices: ['list', 'lines', 'file', 'range'],
        defaultValue: 'list',
        optional: true,
      }),
      input('items', 'LONG_TEXT', 'A list such as a, b, c or ["a", "b"]; for lines, one item per line.', {
        condition: when('each', 'list', 'lines'),
      }),
      input('file', 'FILE', 'File with one item per line.', { condition: when('each', 'file') }),
      input('from', 'TEXT', 'First number or date, such as 1 or 2026-01-01.', {
        condition: when('each', 'range'),
      }),
      input('to', 'TEXT', 'Last number or date.', { condition: when('each', 'range') }),
      input('step', 'NUMBER', 'Distance between two items, in days between dates. Default 1.', {
        optional: true,
        defaultValue: '1',
        condition: when('each', 'range'),
      }),
      input('parallel', 'NUMBER', `Maximum number of concurrent runs, 1 to ${maxParallel}. Default 1.`, {
        optional: true,
        defaultValue: '1',
      }),
      input(
        'onFailure',
        'CHOICE',
        'Behaviour after a run with an error. stop: no further items start; continue: all items run, and the task ends with a warning. Default stop.',
        { choices: ['stop', 'continue'], defaultValue: 'stop', optional: true },
      ),
      output('Count', 'NUMBER', 'Number of items.'),
      output('Failed', 'LIST', `Items with unsuccessful runs, at most ${maxFailedItems}.`),
    ],
    repeatable: true,
    problemOf: problemOfLoop,
    async run(work) {
      const { onFailure = 'stop', parallel: given } = work.inputs
      const parallel = parallelOf(given)
      if (typeof parallel === 'string') return failed(parallel)
      const stopsAtError = onFailure !== 'continue'
      const result = await runChildren(deps, work, {
        pipeline: pipelineOf(work, true),
        parallel,
        stopsAtError,
        items: () => (work.inputs['each'] === 'file' ? fileLines(deps, work) : itemsOf(work.inputs)),
      })
      if ('problem' in result) return failed(result.problem)
      if ('wait' in result) return result.wait
      return loopOutcome(work, result.tally, stopsAtError)
    },
  }
}

async function loopOutcome(
  { children }: StepWork,
  { total, ended, failed: first }: ChildrenTally,
  stopsAtError: boolean,
): Promise<StepOutcome> {
  const unsuccessful = ended.WARN + ended.ERROR
  const items = (await children.failed(maxFailedItems)).map(({ value }) => value)
  const outputs = { Count: String(total), Failed: JSON.stringify(items) }
  if (first === undefined)
    return {
      status: 'INFO',
      message: total === 0 ? 'There are no items.' : `${countOf(total, 'run')} succeeded.`,
      outputs,
    }
  const started = ended.INFO + unsuccessful
  const skipped = started < total ? ` ${countOf(total - started, 'item')} did not start.` : ''
  return {
    status: ended.ERROR > 0 && stopsAtError ? 'ERROR' : 'WARN',
    message: `${unsuccessful} of ${countOf(total, 'run')} did not succeed.${skipped} Item ${first.position}: ${first.message}`,
    outputs,
  }
}

interface ChildrenPlan {
  pipeline: ChildPipeline
  /** Maximum number of concurrent runs. */
  parallel: number
  /** Whether no further run starts after one with ERROR. */
  stopsAtError: boolean
  /** Returns the values of the runs; a problem as a sentence. */
  items: () => string[] | string | Promise<string[] | string>
}

/** Starts as many concurrent runs as the plan allows. The step waits until all of them have ended. */
async function runChildren(
  deps: PipelineTasksDependencies,
  work: StepWork,
  { pipeline, parallel, stopsAtError, items }: ChildrenPlan,
): Promise<{ wait: StepWait } | { tally: ChildrenTally } | { problem: string }> {
  const { children } = work
  let tally = await children.tally()
  if (tally.total === 0) {
    const values = await items()
    if (typeof values === 'string') return { problem: values }
    await children.plan(values)
    tally = await children.tally()
  }
  const waits = () => {
    const { ended, total } = tally
    return `Runs of “${pipeline.name}” that have ended: ${ended.INFO + ended.WARN + ended.ERROR} of ${total}.`
  }
  for (;;) {
    const isStopped = stopsAtError && tally.ended.ERROR > 0
    const free = isStopped ? 0 : parallel - tally.open
    const next = free > 0 ? await children.next(free) : []
    for (const child of next) {
      work.signal.throwIfAborted()
      try {
        if ((await startChildRun(deps, work, pipeline, child)) === 'later')
          return { wait: children.wait(waits(), new Date(deps.clock.now().getTime() + laterMs)) }
      } catch (error) {
        if (!isClientError(error)) throw error
        await children.refuse(child.position, error.message)
        if (stopsAtError) break
      }
    }
    tally = await children.tally()
    if (tally.open > 0 && (next.length === 0 || tally.open >= parallel))
      return { wait: children.wait(waits()) }
    if (next.length === 0) return { tally }
  }
}

function pipelineOf({ inputs, run }: StepWork, takesValue: boolean): ChildPipeline {
  const { pipeline = '', group = '' } = inputs
  return { name: pipeline.trim(), groupName: group.trim() || run.groupName, takesValue }
}

async function fileLines({ files }: PipelineTasksDependencies, work: StepWork): Promise<string[] | string> {
  const { stream } = await openFile(files, work, 'file')
  return linesOfFile(stream)
}
