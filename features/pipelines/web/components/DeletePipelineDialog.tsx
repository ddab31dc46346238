import { DeleteItemDialog } from '@headwater/items/web'
import { LossNote } from '@headwater/web-kit'
import type { Pipeline } from '../../contract/index.ts'
import { usePipelineCalls } from '../pipelines-client.ts'

/** Confirms the deletion of a pipeline. */
export function DeletePipelineDialog({
  pipeline,
  onClose,
  onDeleted,
}: {
  /** Pipeline to delete; undefined closes the dialog. */
  pipeline: Pick<Pipeline, 'id' | 'name' | 'schedules'> | undefined
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
      <p>{`${pipeline?.name} will be deleted immediately with all its versions, and its running jobs are stopped. You can't undo this action.`}</p>
      <LossNote losses={[{ count: pipeline?.schedules.length ?? 0, one: 'schedule' }]} />
    </DeleteItemDialog>
  )
}
