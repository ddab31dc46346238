import type { ReactNode } from 'react'
import { ConfirmDialog, message } from '@headwater/web-kit'

/** Asks before an item is deleted. */
export function DeleteItemDialog({
  noun,
  open,
  deletedText = `${noun[0]!.toUpperCase()}${noun.slice(1)} has been deleted.`,
  remove,
  onClose,
  onDeleted,
  children,
}: {
  /** What people call an item of this kind. */
  noun: string
  open: boolean
  /** Message after the item was deleted. */
  deletedText?: string
  remove: () => Promise<void>
  onClose: () => void
  onDeleted?: (() => void) | undefined
  /** What is deleted, and what depends on it. */
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
