import { ConfirmDialog, message } from '@headwater/web-kit'
import { usePipelineCalls } from '../pipelines-client.ts'

/** Asks before a pipeline is deleted. */
export function DeletePipelineDialog({
  pipeline,
  onClose,
  onDeleted,
}: {
  /** Nothing is asked while it is undefined. */
  pipeline: { id: string; name: string } | undefined
  onClose: () => void
  onDeleted?: () => void
}) {
  const calls = usePipelineCalls()
  return (
    <ConfirmDialog
      open={pipeline !== undefined}
      title="Delete pipeline"
      confirmLabel="Delete"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await calls.remove(pipeline!.id)
        message('Pipeline has been deleted.')
        onDeleted?.()
      }}
    >
      {`${pipeline?.name} will be deleted immediately with its schedule, and its running jobs are stopped. You can't undo this action.`}
    </ConfirmDialog>
  )
}
