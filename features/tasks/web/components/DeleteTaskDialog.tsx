import { DeleteItemDialog } from '@headwater/items/web'
import { Dependents } from '@headwater/web-kit'
import { useTaskCalls } from '../tasks-client.ts'

/** Confirms the deletion of a task. */
export function DeleteTaskDialog({
  task,
  onClose,
  onDeleted,
}: {
  /** Task to delete; undefined closes the dialog. */
  task: { id: string; name: string; groupName: string; readableName: string } | undefined
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
      <p>{`${task?.readableName} will be deleted immediately with all of its versions. You can't undo this action.`}</p>
      <Dependents object={task && { type: 'TASK', name: task.name, groupName: task.groupName }} />
    </DeleteItemDialog>
  )
}
