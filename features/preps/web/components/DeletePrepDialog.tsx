import { ConfirmDialog, message } from '@headwater/web-kit'
import { usePrepCalls } from '../preps-client.ts'

/** Asks before a data prep is deleted. */
export function DeletePrepDialog({
  prep,
  onClose,
  onDeleted,
}: {
  /** Nothing is asked while it is undefined. */
  prep: { id: string; name: string } | undefined
  onClose: () => void
  onDeleted?: () => void
}) {
  const calls = usePrepCalls()
  return (
    <ConfirmDialog
      open={prep !== undefined}
      title="Delete data prep"
      confirmLabel="Delete"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await calls.remove(prep!.id)
        message('Data prep has been deleted.')
        onDeleted?.()
      }}
    >
      {`${prep?.name} will be deleted immediately. You can't undo this action.`}
    </ConfirmDialog>
  )
}
