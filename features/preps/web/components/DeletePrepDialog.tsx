import { DeleteItemDialog } from '@headwater/items/web'
import { usePrepCalls } from '../preps-client.ts'

/** Confirms the deletion of a data prep. */
export function DeletePrepDialog({
  prep,
  onClose,
  onDeleted,
}: {
  /** The dialog is closed while it is undefined. */
  prep: { id: string; name: string } | undefined
  onClose: () => void
  onDeleted?: () => void
}) {
  const calls = usePrepCalls()
  return (
    <DeleteItemDialog
      noun="data prep"
      open={prep !== undefined}
      remove={() => calls.remove(prep!.id)}
      onClose={onClose}
      onDeleted={onDeleted}
    >
      {`${prep?.name} will be deleted immediately. You can't undo this action.`}
    </DeleteItemDialog>
  )
}
