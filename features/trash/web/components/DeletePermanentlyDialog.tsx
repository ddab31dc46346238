import { ConfirmDialog, message } from '@headwater/web-kit'
import type { TrashedObject, TrashKind } from '../../contract/index.ts'
import { useDeletePermanently } from '../trash-client.ts'
import { labelsOf } from './trash-labels.ts'

/** Confirms the permanent deletion of objects. */
export function DeletePermanentlyDialog({
  kind,
  objects,
  onClose,
  onDeleted,
}: {
  kind: TrashKind
  /** The objects; the dialog is closed while the list is empty. */
  objects: readonly TrashedObject[]
  onClose: () => void
  onDeleted: () => void
}) {
  const remove = useDeletePermanently(kind)
  const labels = labelsOf[kind]
  const what = objects.length === 1 ? objects[0]!.name : labels.many(objects.length)
  return (
    <ConfirmDialog
      open={objects.length > 0}
      title="Delete permanently"
      confirmLabel="Delete permanently"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await remove.mutateAsync(objects.map(({ id }) => id))
        message(`${what} ${objects.length === 1 ? 'has' : 'have'} been deleted permanently.`)
        onDeleted()
      }}
    >
      <p>{`${what} can't be restored after this.`}</p>
      <p>{labels.loss}</p>
    </ConfirmDialog>
  )
}
