import { ConfirmDialog, Dependents, LossNote, message, TrashNote } from '@headwater/web-kit'
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
      <TrashNote what="the group" after="noUndo" />
      {contents === undefined ? null : (
        <LossNote
          losses={lossesOf(contents)}
          none="It contains no files, symbols, data preps, pipelines or tasks."
        />
      )}
      <Dependents object={name === undefined ? undefined : { type: 'GROUP', name }} />
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

function lossesOf({
  files,
  insights,
  symbols,
  dataPreps,
  pipelines,
  tasks,
  emailExports,
}: GroupContentsCount) {
  return [
    { count: files - insights, one: 'file' },
    { count: insights, one: 'insight' },
    { count: symbols, one: 'symbol' },
    { count: dataPreps, one: 'data prep' },
    { count: pipelines - emailExports, one: 'pipeline' },
    { count: tasks, one: 'task' },
    { count: emailExports, one: 'e-mail export' },
  ]
}
