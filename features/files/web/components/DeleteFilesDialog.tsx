import { useState } from 'react'
import { Checkbox, ConfirmDialog, Dependents, message, TrashNote } from '@headwater/web-kit'
import { isSeriesFile, type File } from '../../contract/index.ts'
import { useDeleteFiles, useFileVersions } from '../files-client.ts'

/**
 * Confirms the deletion of versions of files. For a single file with other versions, all versions can be deleted at once.
 * For series files, the dialog states that their data is also deleted.
 */
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
  const [file] = files
  const single = files.length === 1 && file && hasOthers(file) ? file : undefined
  const versions = useFileVersions(single?.fid).data?.items ?? []
  const [allOf, setAllOf] = useState<string>()
  const isAll = versions.length > 1 && allOf === single?.fid
  const fids = (isAll ? versions : files).map(({ fid }) => fid)
  const subject = isAll ? `All ${versions.length} versions of ${nameOf(versions[0]!)}` : subjectOf(files)
  const withSeries = files.some((file) => isSeriesFile(file.fileType))
  return (
    <ConfirmDialog
      open={files.length > 0}
      title={files.length === 1 ? 'Delete file' : 'Delete files'}
      confirmLabel="Delete"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await remove.mutateAsync(fids)
        message(isAll ? `${subject} have been deleted.` : deletedText(files))
        onDeleted?.()
        onClose()
      }}
    >
      <p>
        {subject}
        {withSeries ? ` and the series values from ${isAll ? 'these uploads' : 'this upload'}` : ''} will be
        deleted.{isAll ? '' : restOf(files)}
      </p>
      {versions.length > 1 ? (
        <Checkbox
          label={`Delete all ${versions.length} versions`}
          checked={isAll}
          onChange={(checked) => setAllOf(checked ? single?.fid : undefined)}
        />
      ) : null}
      <TrashNote what={fids.length === 1 ? 'it' : 'them'} otherwise="You can't undo this action." />
      <Dependents object={files.length === 0 ? undefined : { type: 'FILE', fids, withSeries }} />
    </ConfirmDialog>
  )
}

function subjectOf(files: readonly File[]): string {
  const [file] = files
  if (file === undefined || files.length > 1) return `${files.length} files`
  return hasOthers(file) ? `Version ${file.version} of ${nameOf(file)}` : nameOf(file)
}

function nameOf({ fileName }: File): string {
  return fileName || 'No file name found'
}

function deletedText(files: readonly File[]): string {
  if (files.length > 1) return 'Files have been deleted.'
  return files[0] && hasOthers(files[0]) ? `${subjectOf(files)} has been deleted.` : 'File has been deleted.'
}

/** Returns a sentence about the other versions. */
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
