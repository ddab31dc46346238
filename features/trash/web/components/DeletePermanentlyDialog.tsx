import { ConfirmDialog, message, toast } from '@headwater/web-kit'
import type { TrashedObject, TrashKind } from '../../contract/index.ts'
import { failureToast } from '../attempt-each.ts'
import { useDeletePermanently } from '../trash-client.ts'
import { labelsOf, versionName } from './trash-labels.ts'

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
  /** Called with the objects that were not deleted. */
  onDeleted: (left: readonly TrashedObject[]) => void
}) {
  const remove = useDeletePermanently(kind)
  const labels = labelsOf[kind]
  const nameOf = (some: readonly TrashedObject[]) =>
    some.length === 1 ? versionName(some[0]!) : labels.many(some.length)
  const what = nameOf(objects)
  return (
    <ConfirmDialog
      open={objects.length > 0}
      title="Delete permanently"
      confirmLabel="Delete permanently"
      danger
      onClose={onClose}
      onConfirm={async () => {
        const { done, failed } = await remove.mutateAsync(objects)
        if (objects.length === 1 && failed.length > 0) throw failed[0]!.error
        const deleted = done.map(({ item }) => item)
        const left = failed.map(({ item }) => item)
        if (deleted.length > 0)
          message(`${nameOf(deleted)} ${deleted.length === 1 ? 'has' : 'have'} been deleted permanently.`)
        if (left.length > 0) toast(failureToast(`${labels.many(left.length)} could not be deleted.`, failed))
        onDeleted(left)
      }}
    >
      <p>{`${what} can't be restored after this.`}</p>
      <p>{labels.loss(objects)}</p>
    </ConfirmDialog>
  )
}
