import { ConfirmDialog, message } from '@headwater/web-kit'
import { useDeleteGroup } from '../groups-client.ts'

/** Asks before a group is deleted with everything in it. */
export function DeleteGroupDialog({
  name,
  onClose,
  onDeleted,
}: {
  /** The group; nothing is asked while it is undefined. */
  name: string | undefined
  onClose: () => void
  onDeleted?: () => void
}) {
  const remove = useDeleteGroup()
  return (
    <ConfirmDialog
      open={name !== undefined}
      title="Delete group"
      confirmLabel="Delete"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await remove.mutateAsync(name!)
        message(`Group ${name} has been deleted.`)
        onDeleted?.()
        onClose()
      }}
    >
      {`${name} will be deleted immediately. You can't undo this action.`}
    </ConfirmDialog>
  )
}
