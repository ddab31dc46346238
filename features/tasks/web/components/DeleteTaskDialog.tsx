import { DeleteItemDialog } from '@headwater/items/web'
import { useTaskCalls } from '../tasks-client.ts'

/** Confirms the deletion of a task. */
export function DeleteTaskDialog({
  task,
  onClose,
  onDeleted,
}: {
  /** Task to delete; undefined closes the dialog. */
  task: { id: string; readableName: string } | undefined
  onClose: () => void
  onDeleted?: () => void
}) {
  const calls = useTaskCalls()
  return (
    <DeleteItemDialog
      noun="task"
      open={task !== undefined}
      remove={() => calls.remove(task!.id)}
      onClose={onClose}
      onDeleted={onDeleted}
    >
      {`${task?.readableName} will be deleted immediately, and pipelines that use it can no longer run. You can't undo this action.`}
    </DeleteItemDialog>
  )
}
