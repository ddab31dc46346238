import { DeleteItemDialog } from '@headwater/items/web'
import { Dependents } from '@headwater/web-kit'
import { usePrepCalls } from '../preps-client.ts'

/** Confirms the deletion of a data prep. */
export function DeletePrepDialog({
  prep,
  onClose,
  onDeleted,
}: {
  /** The dialog is closed while it is undefined. */
  prep: { id: string; name: string; outputGroup: string } | undefined
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
      <p>{`${prep?.name} will be deleted immediately. You can't undo this action.`}</p>
      <Dependents object={prep && { type: 'DATA_PREP', name: prep.name, groupName: prep.outputGroup }} />
    </DeleteItemDialog>
  )
}
