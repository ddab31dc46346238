import { useEffect } from 'react'
import { links, message, toast } from '@headwater/web-kit'
import { type Job, visibleStatus } from '@headwater/statuses/contract'
import { dismissAtEnd, followRun, isRunOver, runMessage } from '@headwater/statuses/web'
import type { Pipeline } from '../../contract/index.ts'

/** Shows that a run of a pipeline has started, and follows the run across pages. */
export function showStartedRun(
  jobId: string,
  pipeline: Pick<Pipeline, 'groupName' | 'name' | 'version'>,
): void {
  void dismissAtEnd(message('Pipeline has been run.'), followPipelineRun(jobId, pipeline))
}

/** Follows a run of a pipeline across pages and shows a message when it has finished. */
export function followPipelineRun(
  jobId: string,
  { groupName, name, version }: Pick<Pipeline, 'groupName' | 'name' | 'version'>,
): Promise<void> {
  return followRun(jobId, (job) => {
    const status = visibleStatus({ status: job.status, message: runMessage(job) })
    const action = { label: 'Show run', href: links.pipeline(groupName, name, version, { jobId }) }
    if (status === 'STOPPED') {
      toast({ kind: 'info', title: `The run of ${name} was stopped.`, text: runMessage(job), action })
      return
    }
    const isError = status === 'ERROR'
    const isWarn = status === 'WARN'
    const details = { label: 'Details', href: links.run(jobId) }
    toast({
      kind: isError ? 'error' : isWarn ? 'warn' : 'success',
      title: `The run of ${name} ${isError ? 'failed' : isWarn ? 'ended with a warning' : 'succeeded'}.`,
      text: runMessage(job),
      action: isError || isWarn ? details : action,
    })
  })
}

/** Follows the visible run of a pipeline while it is in progress. */
export function useFollowedRun(job: Job | undefined, pipeline: Pipeline | undefined): void {
  useEffect(() => {
    if (job !== undefined && !isRunOver(job) && pipeline !== undefined)
      void followPipelineRun(job.jobId, { ...pipeline, version: job.version ?? pipeline.version })
  }, [job, pipeline])
}
