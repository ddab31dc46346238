import { NewerVersion } from '@headwater/accounts/web'
import type { File } from '@headwater/files/contract'
import { ConfirmDialog, ConflictDialog } from '@headwater/web-kit'
import { ConflictComparison } from './ConflictComparison.tsx'
import type { SaveConfirmation } from './use-saving.ts'

/** The confirmations of a save. */
export function SaveConfirmations({
  baseFile,
  saving,
  content,
  onOpenVersion,
}: {
  /** The version that the edits are based on; undefined for a new file. */
  baseFile: File | undefined
  saving: { confirmation: SaveConfirmation | undefined; confirm: () => void; dismiss: () => void }
  /** Returns the edits as content of a file. */
  content: () => Blob
  /** Opens another version of the file in place of the edits. */
  onOpenVersion: ((fid: string) => void) | undefined
}) {
  const { confirmation } = saving
  return (
    <>
      <ConfirmDialog
        open={confirmation?.kind === 'problem'}
        title="Save with a syntax error?"
        danger
        confirmLabel="Save anyway"
        cancelLabel="Keep editing"
        onConfirm={saving.confirm}
        onClose={saving.dismiss}
      >
        {confirmation?.kind === 'problem' ? confirmation.problem : null}
      </ConfirmDialog>
      {confirmation?.kind === 'newer' ? (
        <FileConflict
          baseFile={baseFile}
          newest={confirmation.newest}
          content={content}
          onOverwrite={saving.confirm}
          onOpenVersion={onOpenVersion}
          onClose={saving.dismiss}
        />
      ) : null}
    </>
  )
}

function FileConflict({
  baseFile,
  newest,
  content,
  onOverwrite,
  onOpenVersion,
  onClose,
}: {
  baseFile: File | undefined
  newest: File
  content: () => Blob
  onOverwrite: () => void
  onOpenVersion: ((fid: string) => void) | undefined
  onClose: () => void
}) {
  return (
    <ConflictDialog
      text={
        <NewerVersion
          newer={{ version: newest.version, author: newest.owner, savedAt: newest.arrivalTime }}
          edited={baseFile && { version: baseFile.version }}
        />
      }
      comparison={() => <ConflictComparison newest={newest} content={content} />}
      {...(onOpenVersion === undefined ? {} : { onDiscard: () => onOpenVersion(newest.fid) })}
      onOverwrite={onOverwrite}
      onClose={onClose}
    />
  )
}
