import { useState } from 'react'
import { ConfirmDialog, Dialog, type DialogProps } from './Dialog.tsx'

/**
 * A dialog with input. While there are unsaved changes, Esc, the close button and a click beside the dialog require
 * confirmation before they call `onClose`.
 */
export function InputDialog({ unsaved, onClose, ...dialog }: DialogProps & { unsaved: boolean }) {
  const [isConfirming, setConfirming] = useState(false)
  return (
    <>
      <Dialog {...dialog} onClose={unsaved ? () => setConfirming(true) : onClose} />
      <DiscardDialog
        open={isConfirming}
        title={dialog.title}
        onDiscard={onClose}
        onClose={() => setConfirming(false)}
      />
    </>
  )
}

/**
 * Requests a confirmation before a dialog or tool closes without saving its input.
 * @param title heading of the dialog or tool
 */
export function DiscardDialog({
  open,
  title,
  onDiscard,
  onClose,
}: {
  open: boolean
  title: string
  onDiscard: () => void
  onClose: () => void
}) {
  return (
    <ConfirmDialog
      open={open}
      title="Unsaved changes"
      confirmLabel="Close without saving"
      cancelLabel="Keep editing"
      danger
      onConfirm={onDiscard}
      onClose={onClose}
    >
      Your changes in “{title}” are not saved. Close without saving them?
    </ConfirmDialog>
  )
}
