import { ConfirmDialog, Dependents, message, TrashNote } from '@headwater/web-kit'
import { isSeriesFile, type File } from '../../contract/index.ts'
import { useDeleteFiles } from '../files-client.ts'

/** Confirms the deletion of versions of files. For series files, states that their data is deleted as well. */
export function DeleteFilesDialog({
  files,
  onClose,
  onDeleted,
}: {
  /** The files; the dialog is closed while the list is empty. */
  files: readonly File[]
  onClose: () => void
  onDeleted?: () => void
}) {
  const remove = useDeleteFiles()
  const withSeries = files.some((file) => isSeriesFile(file.fileType))
  return (
    <ConfirmDialog
      open={files.length > 0}
      title={files.length === 1 ? 'Delete file' : 'Delete files'}
      confirmLabel="Delete"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await remove.mutateAsync(files.map((file) => file.fid))
        message(deletedText(files))
        onDeleted?.()
        onClose()
      }}
    >
      <p>
        {subjectOf(files)}
        {withSeries ? ' and the series values from this upload' : ''} will be deleted.{restOf(files)}
      </p>
      <TrashNote otherwise="You can't undo this action." />
      <Dependents
        object={
          files.length === 0 ? undefined : { type: 'FILE', fids: files.map(({ fid }) => fid), withSeries }
        }
      />
    </ConfirmDialog>
  )
}

function subjectOf(files: readonly File[]): string {
  const [file] = files
  if (file === undefined || files.length > 1) return `${files.length} files`
  const name = file.fileName || 'No file name found'
  return hasOthers(file) ? `Version ${file.version} of ${name}` : name
}

function deletedText(files: readonly File[]): string {
  if (files.length > 1) return 'Files have been deleted.'
  return files[0] && hasOthers(files[0]) ? `${subjectOf(files)} has been deleted.` : 'File has been deleted.'
}

/** Returns what happens to the other versions. */
function restOf(files: readonly File[]): string {
  const [file] = files
  if (file === undefined || files.length > 1 || !hasOthers(file)) return ''
  return file.latest
    ? ' The version before it, if there is one, becomes the newest.'
    : ' Other versions remain.'
}

/** Returns whether the file has other versions, or had some. */
function hasOthers({ version, latest }: File): boolean {
  return version > 1 || !latest
}
