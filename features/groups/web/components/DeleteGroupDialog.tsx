import { ConfirmDialog, countOf, message } from '@headwater/web-kit'
import type { GroupContentsCount } from '../../contract/index.ts'
import { useDeleteGroup, useGroupContents } from '../groups-client.ts'

/** Confirms the deletion of a group and lists its contents. */
export function DeleteGroupDialog({
  name,
  onClose,
  onDeleted,
}: {
  /** Name of the group; the dialog is closed while it is undefined. */
  name: string | undefined
  onClose: () => void
  onDeleted?: () => void
}) {
  const remove = useDeleteGroup()
  const { data: contents } = useGroupContents(name)
  return (
    <ConfirmDialog
      open={name !== undefined}
      title="Delete group"
      confirmLabel="Delete"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await remove.mutateAsync(name!)
        message(`Group ${name} has been deleted.`)
        onDeleted?.()
        onClose()
      }}
    >
      <p>{`${name} will be deleted immediately. You can't undo this action.`}</p>
      {contents === undefined ? null : <p>{sentenceOf(contents)}</p>}
      {contents === undefined || contents.publicViews === 0 ? null : (
        <p>
          {contents.publicViews === 1
            ? '1 public insight shows data of this group. Its visitors will no longer see that data.'
            : `${contents.publicViews.toLocaleString('en-US')} public insights show data of this group. Their visitors will no longer see that data.`}
        </p>
      )}
    </ConfirmDialog>
  )
}

function sentenceOf(contents: GroupContentsCount): string {
  const { files, insights, symbols, dataPreps, pipelines, tasks, emailExports } = contents
  const parts = [
    { count: files - insights, text: countOf(files - insights, 'file') },
    { count: insights, text: countOf(insights, 'insight') },
    { count: symbols, text: countOf(symbols, 'series', 'series') },
    { count: dataPreps, text: countOf(dataPreps, 'data prep') },
    { count: pipelines - emailExports, text: countOf(pipelines - emailExports, 'pipeline') },
    { count: tasks, text: countOf(tasks, 'task') },
    { count: emailExports, text: countOf(emailExports, 'e-mail export') },
  ].filter(({ count }) => count > 0)
  if (parts.length === 0) return 'It contains no files, series, data preps, pipelines or tasks.'
  const list = new Intl.ListFormat('en-GB').format(parts.map(({ text }) => text))
  return `${list} will be deleted too.`
}
