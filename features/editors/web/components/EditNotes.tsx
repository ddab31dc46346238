import { DraftNote, NewerVersion } from '@headwater/accounts/web'
import type { File } from '@headwater/files/contract'
import { useNewestFileVersion } from '@headwater/files/web'
import { ApiError, Button } from '@headwater/web-kit'
import styles from './Tool.module.css'

/** Notes above the edits of a file: they are a restored draft, or the file was changed after it was opened. */
export function EditNotes({
  draftTime,
  onDiscard,
  saving,
}: {
  /** Time of the restored draft, in milliseconds since 1970; undefined if there is none. */
  draftTime: number | undefined
  /** Discards the restored draft. */
  onDiscard: () => void
  /** Undefined if the file cannot be edited. */
  saving: { isBusy: boolean; replaced: File | undefined; resolve: (newest: File) => void } | undefined
}) {
  return (
    <>
      {draftTime === undefined ? null : (
        <DraftNote className={styles.bar} time={draftTime} onDiscard={onDiscard} />
      )}
      {saving === undefined || saving.isBusy ? null : (
        <ChangedFileNote begun={saving.replaced} onResolve={saving.resolve} />
      )}
    </>
  )
}

/** Note above the edits of a file that was changed, deleted or unshared after it was opened. */
function ChangedFileNote({
  begun,
  onResolve,
}: {
  /** The version that the edits are based on; undefined for a new file. */
  begun: File | undefined
  /** Lets the user choose between the edits and the newest version. */
  onResolve: (newest: File) => void
}) {
  const { data: newest, error } = useNewestFileVersion(begun?.fid)
  if (begun === undefined) return null
  if (error instanceof ApiError && error.code === 'fileNotFound')
    return (
      <div className={styles.bar} role="status">
        This file was deleted, or you no longer have access to it. You cannot save it. Copy your changes
        before you close the editor.
      </div>
    )
  if (newest === undefined || newest.fid === begun.fid) return null
  return (
    <div className={styles.bar} role="status">
      <span>
        <NewerVersion
          newer={{ version: newest.version, author: newest.owner, savedAt: newest.arrivalTime }}
          edited={{ version: begun.version }}
        />
      </span>
      <Button onClick={() => onResolve(newest)}>Compare</Button>
    </div>
  )
}
