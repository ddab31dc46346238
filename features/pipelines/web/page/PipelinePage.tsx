import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { useCan } from '@headwater/accounts/web'
import { isRunOver, RunNote, useRun } from '@headwater/statuses/web'
import { links, message, Page, PageHeader, toastError } from '@headwater/web-kit'
import type { PipelineDetails } from '../../contract/index.ts'
import { DeletePipelineDialog } from '../components/DeletePipelineDialog.tsx'
import { RunPipelineDialog } from '../components/RunPipelineDialog.tsx'
import { type PipelineAddress, useNewestJob, usePipelineCalls } from '../pipelines-client.ts'
import { followPipelineRun } from '../runs/follow-run.ts'
import { RunDialogs } from '../runs/RunDialogs.tsx'
import { PipelineButtons, type PipelineDialog } from './PipelineButtons.tsx'
import { PipelineFacts } from './PipelineFacts.tsx'
import { PipelineTasks } from './PipelineTasks.tsx'

/** Page of a version of a pipeline with its tasks and a run: that of the URL, or the latest. */
export function PipelinePage({ address, details }: { address: PipelineAddress; details: PipelineDetails }) {
  const { pipeline, batchConfig } = details
  const can = useCan()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<PipelineDialog>()
  const close = () => setDialog(undefined)
  const { job, setUrlJob, hide } = useVisibleJob(pipeline.id, can('Statuses'))
  const isRunning = job !== undefined && !isRunOver(job)
  const canRun = can('Creator', 'RW', 'Science')
  const calls = usePipelineCalls()
  const repeat = async (part: { fromNodeId?: string; failedOnly?: boolean }) => {
    if (job === undefined) return
    setUrlJob(await calls.repeat(job.jobId, part))
    message('Pipeline has been run.')
  }
  useEffect(() => {
    if (isRunning)
      void followPipelineRun(job.jobId, { ...pipeline, version: job.version ?? pipeline.version })
  }, [isRunning, job, pipeline])
  return (
    <Page aside={<PipelineFacts address={address} pipeline={pipeline} />} asideLabel="Pipeline">
      <PageHeader
        title={pipeline.name}
        note={`v${pipeline.version}${pipeline.latest ? '' : ', an older version'}`}
        actions={
          <PipelineButtons
            pipeline={pipeline}
            job={job}
            canRun={canRun}
            onDialog={setDialog}
            onRepeat={(part) => void repeat(part).catch(toastError)}
          />
        }
      />
      {job === undefined ? null : <RunNote job={job} onClose={hide} />}
      <PipelineTasks
        tasks={batchConfig.tasks}
        job={job}
        actions={
          job === undefined || !canRun
            ? undefined
            : {
                onDecide: (nodeId, isApproved) =>
                  void calls.decide(job.jobId, nodeId, isApproved).catch(toastError),
                onRepeat: isRunning
                  ? undefined
                  : (fromNodeId) => void repeat({ fromNodeId }).catch(toastError),
              }
        }
      />
      {dialog === 'run' ? (
        <RunPipelineDialog pipeline={pipeline} onClose={close} onStarted={setUrlJob} />
      ) : null}
      {job === undefined ? null : (
        <RunDialogs
          dialog={dialog === 'stop' || dialog === 'continue' ? dialog : undefined}
          run={{ jobId: job.jobId, pipelineId: pipeline.id }}
          texts="creator"
          onClose={close}
        />
      )}
      <DeletePipelineDialog
        pipeline={dialog === 'delete' ? pipeline : undefined}
        onClose={close}
        onDeleted={() => void navigate(links.scienceList(), { replace: true })}
      />
    </Page>
  )
}

/** Returns the run that the page shows: that of the URL, else the latest. Undefined without a run, without access to it, or if hidden. */
function useVisibleJob(pipelineId: string, canSee: boolean) {
  const [search] = useSearchParams()
  const { pathname, hash } = useLocation()
  const navigate = useNavigate()
  const named = search.get('jobId') || undefined
  const newest = useNewestJob(pipelineId, { enabled: canSee && named === undefined })
  const [hidden, setHidden] = useState<string>()
  const latest = newest.data?.jobId === hidden ? undefined : newest.data?.jobId
  const run = useRun(canSee ? (named ?? latest) : undefined)
  const job = run.data?.rootId === pipelineId ? run.data : undefined
  /** Puts a run into the URL, or removes it. */
  function setUrlJob(jobId: string | undefined): void {
    const next = new URLSearchParams(search)
    if (jobId === undefined) next.delete('jobId')
    else next.set('jobId', jobId)
    void navigate({ pathname, search: next.toString(), hash }, { replace: true })
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
