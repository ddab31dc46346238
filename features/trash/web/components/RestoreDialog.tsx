import { useState } from 'react'
import { ConfirmDialog, ErrorNote, message, TextField } from '@headwater/web-kit'
import type { TrashedObject, TrashKind } from '../../contract/index.ts'
import { useRestore } from '../trash-client.ts'
import { freeName, labelsOf, restoredText } from './trash-labels.ts'

/** Restores an object under another name; a symbol with other values of its keys. */
export function RestoreDialog({
  kind,
  object,
  error,
  onClose,
}: {
  kind: TrashKind
  /** The object; the dialog is closed while it is undefined. */
  object: TrashedObject | undefined
  /** Reason why the object was not restored under its original name; undefined before the first attempt. */
  error: unknown
  onClose: () => void
}) {
  const restore = useRestore(kind)
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({})
  const [edited, setEdited] = useState<string>()
  const [hasTried, setHasTried] = useState(false)
  if (edited !== object?.id) {
    setEdited(object?.id)
    setHasTried(false)
    setFields(object === undefined ? {} : (object.keys ?? { [nameField]: freeName(object.name) }))
  }
  const isSymbol = object !== undefined && object.keys !== null
  return (
    <ConfirmDialog
      open={object !== undefined}
      title={`Restore ${labelsOf[kind].one}`}
      confirmLabel="Restore"
      focusOn="cancel"
      onClose={onClose}
      onConfirm={async () => {
        const name = isSymbol ? JSON.stringify(fields) : fields[nameField]!
        setHasTried(true)
        const { done, failed } = await restore.mutateAsync({ objects: [object!], name })
        if (failed.length > 0) throw failed[0]!.error
        message(
          restoredText(
            kind,
            done.map(({ result }) => result),
          ),
        )
      }}
    >
      <p>
        {isSymbol
          ? `${object.name}: if another symbol already uses these values, change at least one.`
          : `Restores the ${labelsOf[kind].one} “${object?.name ?? ''}” under another name.`}
      </p>
      {Object.entries(fields).map(([field, value], index) => (
        <TextField
          key={field}
          label={isSymbol ? field : 'New name'}
          value={value}
          onChange={(text) => setFields({ ...fields, [field]: text })}
          autoFocus={index === 0}
          required
        />
      ))}
      {error === undefined || hasTried ? null : <ErrorNote error={error} />}
    </ConfirmDialog>
  )
}

const nameField = 'name'
