import { ConfirmDialog, countOf, message } from '@headwater/web-kit'
import type { GroupContentsCount } from '../../contract/index.ts'
import { useDeleteGroup, useGroupContents } from '../groups-client.ts'

/** Asks before a group is deleted with everything in it. */
export function DeleteGroupDialog({
  name,
  onClose,
  onDeleted,
}: {
  /** The group; nothing is asked while it is undefined. */
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

function sentenceOf({ files, insights, symbols, dataPreps, emailExports }: GroupContentsCount): string {
  const parts = [
    { count: files - insights, text: countOf(files - insights, 'file') },
    { count: insights, text: countOf(insights, 'insight') },
    { count: symbols, text: countOf(symbols, 'series', 'series') },
    { count: dataPreps, text: countOf(dataPreps, 'data prep') },
    { count: emailExports, text: countOf(emailExports, 'e-mail export') },
  ].filter(({ count }) => count > 0)
  if (parts.length === 0) return 'It contains no files, series or data preps.'
  const list = new Intl.ListFormat('en-GB').format(parts.map(({ text }) => text))
  return `${list} will be deleted too.`
}
