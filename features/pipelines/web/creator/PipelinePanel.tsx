import { memo } from 'react'
import { useSession } from '@headwater/accounts/web'
import type { Job } from '@headwater/statuses/contract'
import { isRunOver } from '@headwater/statuses/web'
import { toastError } from '@headwater/web-kit'
import type { ExecutionMode, Pipeline, PipelineTask } from '../../contract/index.ts'
import { PipelineFacts } from '../page/PipelineFacts.tsx'
import { PipelineTasks } from '../page/PipelineTasks.tsx'
import { type PipelineAddress, usePipelineCalls } from '../pipelines-client.ts'
import { ExecutionModeField } from './ExecutionModeField.tsx'
import styles from './Creator.module.css'

/**
 * Panel with the properties of a pipeline and its tasks in the order in which they run, an accessible alternative to
 * the canvas.
 */
export const PipelinePanel = memo(function PipelinePanel({
  address,
  pipeline,
  tasks,
  job,
  canRun,
  canEdit,
  executionMode,
  onExecutionMode,
  onRepeat,
}: {
  /** Version in the URL; undefined for a new pipeline. */
  address: PipelineAddress | undefined
  pipeline: Pipeline | undefined
  tasks: readonly PipelineTask[]
  job: Job | undefined
  canRun: boolean
  canEdit: boolean
  /** Mode of the draft. */
  executionMode: ExecutionMode
  onExecutionMode: (mode: ExecutionMode) => void
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
      <ExecutionModeField value={executionMode} editable={canEdit} onChange={onExecutionMode} />
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
