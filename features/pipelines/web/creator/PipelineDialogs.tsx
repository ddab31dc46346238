import { useNavigate } from 'react-router'
import type { Job } from '@headwater/statuses/contract'
import { ConfirmDialog, links } from '@headwater/web-kit'
import type { Pipeline } from '../../contract/index.ts'
import { DeletePipelineDialog } from '../components/DeletePipelineDialog.tsx'
import { RunPipelineDialog } from '../components/RunPipelineDialog.tsx'
import { RunDialogs } from '../runs/RunDialogs.tsx'
import { ShareDialog } from '../sharing/ShareDialog.tsx'
import type { CreatorDialog } from './CreatorButtons.tsx'
import { StatusBoxPopover, type useStatusBox } from './status/use-status-box.tsx'
import type { Creator } from './use-creator.ts'
import type { TaskOf } from './use-task-types.ts'

/** Dialogs that save, run, stop, share and delete the pipeline of the creator, and the status box of a task. */
export function PipelineDialogs({
  dialog,
  setDialog,
  creator,
  pipeline,
  job,
  setUrlJob,
  onSaveAndRun,
  statusBox,
  taskOf,
}: {
  dialog: CreatorDialog | undefined
  setDialog: (change: (current: CreatorDialog | undefined) => CreatorDialog | undefined) => void
  creator: Creator
  pipeline: Pipeline | undefined
  job: Job | undefined
  setUrlJob: (jobId: string) => void
  /** Saves the changes, then starts a run. */
  onSaveAndRun: () => Promise<void>
  /** The status box of a task. */
  statusBox: ReturnType<typeof useStatusBox>
  taskOf: TaskOf
}) {
  const navigate = useNavigate()
  const close = () => setDialog(() => undefined)
  return (
    <>
      {dialog?.kind === 'run' && pipeline !== undefined ? (
        <RunPipelineDialog
          pipeline={pipeline}
          hasRun={job !== undefined || pipeline.job !== null}
          onClose={close}
          onStarted={setUrlJob}
        />
      ) : null}
      {job === undefined ? null : (
        <RunDialogs
          dialog={dialog?.kind === 'stop' || dialog?.kind === 'continue' ? dialog.kind : undefined}
          run={{ jobId: job.jobId, pipelineId: pipeline?.id }}
          texts="creator"
          onClose={close}
        />
      )}
      {dialog?.kind === 'unsaved' ? (
        <ConfirmDialog
          open
          title="Pipeline not saved"
          confirmLabel="Save and run"
          onClose={() => setDialog((current) => (current?.kind === 'unsaved' ? undefined : current))}
          onConfirm={onSaveAndRun}
        >
          There are some unsaved changes. To run the pipeline it needs to be saved first.
        </ConfirmDialog>
      ) : null}
      <StatusBoxPopover
        state={statusBox}
        graph={creator.draft.graph}
        taskOf={taskOf}
        job={job}
        pipelineId={pipeline?.id}
      />
      <ShareDialog pipeline={dialog?.kind === 'share' ? pipeline : undefined} onClose={close} />
      <DeletePipelineDialog
        pipeline={dialog?.kind === 'delete' ? pipeline : undefined}
        onClose={close}
        onDeleted={() => {
          if (creator.isUnsaved) creator.leave(links.scienceList())
          else void navigate(links.scienceList(), { replace: true })
        }}
      />
    </>
  )
}
