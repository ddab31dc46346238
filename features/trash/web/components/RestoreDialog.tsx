import { useState } from 'react'
import { ConfirmDialog, message, TextField } from '@headwater/web-kit'
import type { TrashedObject, TrashKind } from '../../contract/index.ts'
import { useRestore } from '../trash-client.ts'
import { labelsOf } from './trash-labels.ts'

/** Restores an object with another name. */
export function RestoreDialog({
  kind,
  object,
  onClose,
}: {
  kind: TrashKind
  /** The object; the dialog is closed while it is undefined. */
  object: TrashedObject | undefined
  onClose: () => void
}) {
  const restore = useRestore(kind)
  const [name, setName] = useState('')
  const [edited, setEdited] = useState<string>()
  if (edited !== object?.id) {
    setEdited(object?.id)
    setName(object === undefined ? '' : freeName(object.name))
  }
  return (
    <ConfirmDialog
      open={object !== undefined}
      title={`Restore ${labelsOf[kind].one}`}
      confirmLabel="Restore"
      onClose={onClose}
      onConfirm={async () => {
        await restore.mutateAsync({ id: object!.id, name })
        message(`${name.trim()} has been restored.`)
      }}
    >
      <p>{`If the name ${object?.name ?? ''} is taken, restore the ${labelsOf[kind].one} with another one.`}</p>
      <TextField label="New name" value={name} onChange={setName} autoFocus required />
    </ConfirmDialog>
  )
}

/** Suggests a name, before the extension of a file. */
function freeName(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? `${name.slice(0, dot)} (restored)${name.slice(dot)}` : `${name} (restored)`
}
