import type { ReactNode } from 'react'
import { ConfirmDialog } from '@headwater/web-kit'

/**
 * Dialog that offers to save the changes as the newest version although another user has saved a newer one in the
 * meantime.
 */
export function NewerVersionDialog({
  text,
  onSave,
  onClose,
}: {
  /** The message of the server about the other version. */
  text: ReactNode
  onSave: () => void | Promise<unknown>
  onClose: () => void
}) {
  return (
    <ConfirmDialog
      open
      title="There is a newer version"
      confirmLabel="Save mine as latest"
      cancelLabel="Keep editing"
      danger
      onClose={onClose}
      onConfirm={onSave}
    >
      {text} If you save yours as the newest, the other one stays in the version history.
    </ConfirmDialog>
  )
}
