import { useState } from 'react'
import { GroupPicker } from '@headwater/groups/web'
import { Button, ConfirmDialog, Dialog, errorMessage, fieldErrors, TextField } from '@headwater/web-kit'
import type { PipelineName } from './use-creator.ts'
import type { Deletion } from './use-canvas-actions.ts'

/** Confirms the deletion of tasks or of a comment. */
export function DeletionDialog({
  deletion,
  onClose,
  onDelete,
}: {
  /** Undefined closes the dialog. */
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

/** Form for the name and group of a new pipeline. */
export function SavePipelineDialog({
  group,
  onClose,
  onSave,
}: {
  /** Group that is chosen at first; empty for none. */
  group: string
  onClose: () => void
  /** Saves; rejects with the error of the server. */
  onSave: (named: PipelineName) => Promise<unknown>
}) {
  const [name, setName] = useState('')
  const [groupName, setGroupName] = useState(group)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
  async function save(): Promise<void> {
    setBusy(true)
    try {
      await onSave({ name: name.trim(), groupName: groupName.trim() })
      onClose()
    } catch (error) {
      const byField = fieldErrors(error)
      setErrors(Object.keys(byField).length === 0 ? { other: errorMessage(error) } : byField)
    } finally {
      setBusy(false)
    }
  }
  const others = Object.entries(errors).filter(([field]) => field !== 'name' && field !== 'groupName')
  return (
    <Dialog
      open
      title="Save pipeline"
      busy={busy}
      onClose={onClose}
      actions={
        <>
          <Button disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" busy={busy} onClick={() => void save()}>
            Save
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        value={name}
        maxLength={300}
        autoFocus
        error={errors.name}
        onChange={setName}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !busy) void save()
        }}
      />
      <GroupPicker
        label="Group"
        value={groupName === '' ? null : groupName}
        error={errors.groupName}
        onChange={(chosen) => setGroupName(chosen ?? '')}
      />
      {others.map(([field, text]) => (
        <p key={field} role="alert">
          {text}
        </p>
      ))}
    </Dialog>
  )
}
