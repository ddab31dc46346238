import { DeleteItemDialog } from '@headwater/items/web'
import { PartBoundary, useSlot } from '@headwater/web-kit'
import { type NamedTask, taskDependents } from '../slots.ts'
import { useTaskCalls } from '../tasks-client.ts'

/** Confirms the deletion of a task. */
export function DeleteTaskDialog({
  task,
  onClose,
  onDeleted,
}: {
  /** Task to delete; undefined closes the dialog. */
  task: (NamedTask & { readableName: string }) | undefined
  onClose: () => void
  onDeleted?: () => void
}) {
  const calls = useTaskCalls()
  const dependents = useSlot(taskDependents)
  return (
    <DeleteItemDialog
      noun="task"
      open={task !== undefined}
      remove={() => calls.remove(task!.id)}
      onClose={onClose}
      onDeleted={onDeleted}
    >
      <p>{`${task?.readableName} will be deleted immediately with all its versions. You can't undo this action.`}</p>
      {task === undefined
        ? null
        : dependents.map((Dependent, index) => (
            <PartBoundary key={index} fallback={null}>
              <Dependent task={task} />
            </PartBoundary>
          ))}
    </DeleteItemDialog>
  )
}
