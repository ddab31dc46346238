import { useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { useRun } from '@headwater/statuses/web'
import type { Pipeline } from '../../contract/index.ts'
import { useNewestJob } from '../pipelines-client.ts'
import { visibleRunId } from './visible-run.ts'

/** Returns the run that the page shows ({@link visibleRunId}). Undefined without a run, without access to it, or if hidden. */
export function useVisibleJob(pipeline: Pipeline | undefined, canSee: boolean) {
  const pipelineId = pipeline?.id
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const named = search.get('jobId') || undefined
  const enabled = canSee && pipelineId !== undefined
  const newest = useNewestJob(pipelineId ?? '', { enabled: enabled && named === undefined })
  const [hidden, setHidden] = useState<string>()
  const run = useRun(enabled ? visibleRunId({ named, newest: newest.data, hidden, pipeline }) : undefined)
  const job = run.data && run.data.rootId === pipelineId ? run.data : undefined
  /**
   * Puts a run into the URL, or removes it. Does nothing if another page is open by now.
   * @param path path of the pipeline, if its first save changes the path; default: the path of this page
   */
  function setUrlJob(jobId: string | undefined, path = pathname): void {
    const { location } = window
    if (location.pathname !== pathname && location.pathname !== path) return
    const next = new URLSearchParams(location.search)
    if (jobId === undefined) next.delete('jobId')
    else next.set('jobId', jobId)
    void navigate({ pathname: path, search: next.toString(), hash: location.hash }, { replace: true })
  }
  return {
    job,
    hide: () => {
      setHidden(job?.jobId)
      setUrlJob(undefined)
    },
    setUrlJob,
  }
}
