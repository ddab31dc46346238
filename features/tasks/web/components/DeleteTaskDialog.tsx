import { DeleteItemDialog } from '@headwater/items/web'
import { useTaskCalls } from '../tasks-client.ts'

/** Asks before a task is deleted. */
export function DeleteTaskDialog({
  task,
  onClose,
  onDeleted,
}: {
  /** The dialog is closed while it is undefined. */
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
