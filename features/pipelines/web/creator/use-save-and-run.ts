import { type RefObject, useRef } from 'react'
import { useSession } from '@headwater/accounts/web'
import type { CanvasHandle } from '@headwater/canvas'
import type { Job } from '@headwater/statuses/contract'
import { isRunOver } from '@headwater/statuses/web'
import { links, refusesUnfinished, toastError } from '@headwater/web-kit'
import type { Pipeline } from '../../contract/index.ts'
import { type RunPart, usePipelineCalls } from '../pipelines-client.ts'
import { showStartedRun } from '../runs/follow-run.ts'
import { usePipelineSaving } from '../saving/use-pipeline-saving.tsx'
import type { Creator } from './use-creator.ts'

/** Saves the pipeline of the creator, optionally starts a run after the save, and repeats runs. */
export function useSaveAndRun({
  creator,
  canvas,
  pipeline,
  job,
  setUrlJob,
}: {
  creator: Creator
  canvas: RefObject<CanvasHandle | null>
  /** The saved version; undefined for a new pipeline. */
  pipeline: Pipeline | undefined
  /** The visible run. */
  job: Job | undefined
  setUrlJob: (jobId: string, path?: string) => void
}) {
  const calls = usePipelineCalls()
  const { userName } = useSession()
  const runsAfterSave = useRef(false)
  async function start(version: Pipeline): Promise<void> {
    const jobId = await calls.run(version.id, version.version)
    showStartedRun(jobId, version)
    setUrlJob(jobId, links.pipeline(version.groupName, version.name))
  }
  const saving = usePipelineSaving({
    draft: creator.input,
    edited: pipeline,
    isExecuting: job !== undefined && !isRunOver(job),
    onSaved(version, _purpose, sent) {
      creator.onSaved(version, sent)
      if (runsAfterSave.current) void start(version.pipeline).catch(toastError)
      runsAfterSave.current = false
    },
    onOpenNewest: creator.load,
  })
  function prepare(thenRuns: boolean): boolean {
    if (refusesUnfinished()) return false
    canvas.current?.flush()
    runsAfterSave.current = thenRuns
    return true
  }
  /** @param thenRuns whether a run starts after the save */
  async function save(thenRuns = false): Promise<void> {
    if (prepare(thenRuns)) await saving.quickSave(thenRuns ? 'Save and run' : undefined)
  }
  function saveAs(purpose: 'copy' | 'move'): void {
    if (prepare(false)) saving.openDialog(purpose)
  }
  async function restore(): Promise<void> {
    if (prepare(false)) await saving.restore()
  }
  /** Executes the visible run again, or a part of it. */
  async function repeat(part: RunPart & { failedOnly?: boolean }): Promise<void> {
    if (job === undefined || pipeline === undefined) return
    try {
      const jobId = await calls.repeat(job.jobId, part)
      showStartedRun(jobId, { ...pipeline, version: job.version ?? pipeline.version })
      setUrlJob(jobId)
    } catch (error) {
      toastError(error)
    }
  }
  /** Runs a part of the saved version. If a run of the user is visible, tasks that are not part of it keep their values of that run. */
  async function runPart(part: RunPart): Promise<void> {
    if (pipeline === undefined) return
    // A repetition executes the tasks of the version that ran.
    if (job?.version === pipeline.version) return repeat(part)
    const valuesOfJobId = job?.owner === userName ? job.jobId : undefined
    try {
      const jobId = await calls.run(pipeline.id, pipeline.version, { ...part, valuesOfJobId })
      showStartedRun(jobId, pipeline)
      setUrlJob(jobId)
    } catch (error) {
      toastError(error)
    }
  }
  return { saving, save, saveAs, restore, repeat, runPart }
}
