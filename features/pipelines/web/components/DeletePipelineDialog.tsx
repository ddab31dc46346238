import { DeleteItemDialog } from '@headwater/items/web'
import { usePipelineCalls } from '../pipelines-client.ts'

/** Confirms the deletion of a pipeline. */
export function DeletePipelineDialog({
  pipeline,
  onClose,
  onDeleted,
}: {
  /** Pipeline to delete; undefined closes the dialog. */
  pipeline: { id: string; name: string } | undefined
  onClose: () => void
  onDeleted?: () => void
}) {
  const calls = usePipelineCalls()
  return (
    <DeleteItemDialog
      noun="pipeline"
      open={pipeline !== undefined}
      remove={() => calls.remove(pipeline!.id)}
      onClose={onClose}
      onDeleted={onDeleted}
    >
      {`${pipeline?.name} will be deleted immediately with its schedule, and its running jobs are stopped. You can't undo this action.`}
    </DeleteItemDialog>
  )
}
