import { Button, ConfirmDialog, Dialog } from '@headwater/web-kit'
import type { Deletion } from './use-canvas-actions.ts'

/** Confirms the deletion of tasks or of a comment. */
export function DeletionDialog({
  deletion,
  onClose,
  onDelete,
}: {
  /** Tasks or comment to delete; undefined closes the dialog. */
  deletion: Deletion | undefined
  onClose: () => void
  onDelete: (ids: ReadonlySet<string>) => void
}) {
  if (deletion === undefined) return null
  const close = (ids: ReadonlySet<string>) => {
    onDelete(ids)
    onClose()
  }
  if (deletion.kind === 'comment')
    return (
      <ConfirmDialog
        open
        danger
        title="Delete comment"
        confirmLabel="Delete"
        onClose={onClose}
        onConfirm={() => onDelete(new Set([deletion.id]))}
      >
        Are you sure you want to delete this comment?
      </ConfirmDialog>
    )
  const { size } = deletion.ids
  if (size > 1)
    return (
      <ConfirmDialog
        open
        danger
        title="Delete canvas nodes"
        confirmLabel="Delete"
        focusOn="confirm"
        onClose={onClose}
        onConfirm={() => onDelete(deletion.ids)}
      >
        {`Selected nodes (${size})`}
      </ConfirmDialog>
    )
  return (
    <Dialog
      open
      title="Delete canvas node"
      onClose={onClose}
      actions={
        <Button variant="danger" data-autofocus onClick={() => close(deletion.ids)}>
          Delete
        </Button>
      }
    >
      This node will be deleted immediately.
    </Dialog>
  )
}
