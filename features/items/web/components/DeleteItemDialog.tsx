import type { ReactNode } from 'react'
import { ConfirmDialog, message } from '@headwater/web-kit'

/** Confirms the deletion of an item. */
export function DeleteItemDialog({
  noun,
  open,
  deletedText = `${noun[0]!.toUpperCase()}${noun.slice(1)} has been deleted.`,
  remove,
  onClose,
  onDeleted,
  children,
}: {
  /** Name of the kind of item, for example `task`. */
  noun: string
  open: boolean
  /** Message after the item was deleted. */
  deletedText?: string
  remove: () => Promise<void>
  onClose: () => void
  onDeleted?: (() => void) | undefined
  /** Describes the item and the objects that depend on it. */
  children: ReactNode
}) {
  return (
    <ConfirmDialog
      open={open}
      title={`Delete ${noun}`}
      confirmLabel="Delete"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await remove()
        message(deletedText)
        onDeleted?.()
      }}
    >
      {children}
    </ConfirmDialog>
  )
}
