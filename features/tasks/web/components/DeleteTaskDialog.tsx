import { ConfirmDialog, message } from '@headwater/web-kit'
import { useTaskCalls } from '../tasks-client.ts'

/** Asks before a task is deleted. */
export function DeleteTaskDialog({
  task,
  onClose,
  onDeleted,
}: {
  /** Nothing is asked while it is undefined. */
  task: { id: string; readableName: string } | undefined
  onClose: () => void
  onDeleted?: () => void
}) {
  const calls = useTaskCalls()
  return (
    <ConfirmDialog
      open={task !== undefined}
      title="Delete task"
      confirmLabel="Delete"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await calls.remove(task!.id)
        message('Task has been deleted.')
        onDeleted?.()
      }}
    >
      {`${task?.readableName} will be deleted immediately, and pipelines that use it can no longer run. You can't undo this action.`}
    </ConfirmDialog>
  )
}
