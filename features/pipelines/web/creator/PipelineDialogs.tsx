import { useNavigate } from 'react-router'
import { useSettings } from '@headwater/accounts/web'
import type { Job } from '@headwater/statuses/contract'
import { ConfirmDialog, links, toastError } from '@headwater/web-kit'
import type { Pipeline } from '../../contract/index.ts'
import { DeletePipelineDialog } from '../components/DeletePipelineDialog.tsx'
import { RunPipelineDialog } from '../components/RunPipelineDialog.tsx'
import { RunDialogs } from '../runs/RunDialogs.tsx'
import type { CreatorDialog } from './CreatorButtons.tsx'
import { SavePipelineDialog } from './CreatorDialogs.tsx'
import type { Creator, PipelineName } from './use-creator.ts'

/** Dialogs that save, run, stop and delete the pipeline of the creator. */
export function PipelineDialogs({
  dialog,
  setDialog,
  creator,
  pipeline,
  job,
  setUrlJob,
  start,
}: {
  dialog: CreatorDialog | undefined
  setDialog: (change: (current: CreatorDialog | undefined) => CreatorDialog | undefined) => void
  creator: Creator
  pipeline: Pipeline | undefined
  job: Job | undefined
  setUrlJob: (jobId: string) => void
  /** Starts a run of a version. */
  start: (version: Pipeline) => Promise<void>
}) {
  const navigate = useNavigate()
  const defaultGroup = useSettings()?.defaultGroup ?? ''
  const close = () => setDialog(() => undefined)
  async function saveAndRun(named?: PipelineName): Promise<void> {
    const version = await creator.save(named)
    if (version !== undefined) await start(version).catch(toastError)
  }
  return (
    <>
      {dialog?.kind === 'run' && pipeline !== undefined ? (
        <RunPipelineDialog pipeline={pipeline} onClose={close} onStarted={setUrlJob} />
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
          onConfirm={() =>
            creator.saved === undefined ? setDialog(() => ({ kind: 'save', thenRun: true })) : saveAndRun()
          }
        >
          There are some unsaved changes. To run the pipeline it needs to be saved first.
        </ConfirmDialog>
      ) : null}
      {dialog?.kind === 'save' ? (
        <SavePipelineDialog
          group={defaultGroup}
          onClose={close}
          onSave={(named) => (dialog.thenRun === true ? saveAndRun(named) : creator.save(named))}
        />
      ) : null}
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
