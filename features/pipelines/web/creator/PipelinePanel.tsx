import { memo } from 'react'
import { useSession } from '@headwater/accounts/web'
import type { Job } from '@headwater/statuses/contract'
import { isRunOver } from '@headwater/statuses/web'
import { toastError } from '@headwater/web-kit'
import type { Pipeline, PipelineTask } from '../../contract/index.ts'
import { PipelineFacts } from '../page/PipelineFacts.tsx'
import { PipelineTasks } from '../page/PipelineTasks.tsx'
import { type PipelineAddress, usePipelineCalls } from '../pipelines-client.ts'
import styles from './Creator.module.css'

/** Panel with the facts of a pipeline, and its tasks in the order in which they run: the readable form of the canvas. */
export const PipelinePanel = memo(function PipelinePanel({
  address,
  pipeline,
  tasks,
  job,
  canRun,
  onRepeat,
}: {
  /** Absent for a new pipeline. */
  address: PipelineAddress | undefined
  pipeline: Pipeline | undefined
  tasks: readonly PipelineTask[]
  job: Job | undefined
  canRun: boolean
  /** Executes a part of the visible run again. */
  onRepeat: (part: { fromNodeId: string }) => void
}) {
  const calls = usePipelineCalls()
  const { userName } = useSession()
  return (
    <div className={styles.panel}>
      {address === undefined || pipeline === undefined ? null : (
        <PipelineFacts address={address} pipeline={pipeline} />
      )}
      {tasks.length === 0 ? (
        <p className={styles.note}>The tasks appear here in the order in which they run.</p>
      ) : (
        <PipelineTasks
          tasks={tasks}
          job={job}
          actions={
            job === undefined || !canRun
              ? undefined
              : {
                  onDecide: (nodeId, isApproved) =>
                    void calls.decide(job.jobId, { userName, nodeId, isApproved }).catch(toastError),
                  run: pipeline === undefined ? undefined : { pipelineId: pipeline.id, jobId: job.jobId },
                  onRepeat: isRunOver(job) ? (fromNodeId) => onRepeat({ fromNodeId }) : undefined,
                }
          }
        />
      )}
    </div>
  )
})
