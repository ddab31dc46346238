import { ConfirmDialog, Dependents, message, TrashNote } from '@headwater/web-kit'
import { isSeriesFile, type File } from '../../contract/index.ts'
import { useDeleteFiles } from '../files-client.ts'

/** Asks before files are deleted; for series files it says that their data goes as well. */
export function DeleteFilesDialog({
  files,
  onClose,
  onDeleted,
}: {
  /** The files; nothing is asked while the list is empty. */
  files: readonly File[]
  onClose: () => void
  onDeleted?: () => void
}) {
  const remove = useDeleteFiles()
  const withSeries = files.some((file) => isSeriesFile(file.fileType))
  const what = files.length === 1 ? files[0]!.fileName || 'No file name found' : `${files.length} files`
  return (
    <ConfirmDialog
      open={files.length > 0}
      title={files.length === 1 ? 'Delete file' : 'Delete files'}
      confirmLabel="Delete"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await remove.mutateAsync(files.map((file) => file.fid))
        message(files.length === 1 ? 'File has been deleted.' : 'Files have been deleted.')
        onDeleted?.()
        onClose()
      }}
    >
      <p>
        {withSeries
          ? `${what} will be deleted immediately, and the data that came with it is deleted as well. You can't undo this action.`
          : `${what} will be deleted immediately. You can't undo this action.`}
      </p>
      <TrashNote />
      <Dependents
        object={files.length === 0 ? undefined : { type: 'FILE', fids: files.map(({ fid }) => fid) }}
      />
    </ConfirmDialog>
  )
}
