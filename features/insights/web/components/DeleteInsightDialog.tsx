import { ConfirmDialog, message } from '@headwater/web-kit'
import { type InsightName, useInsightCalls } from '../insights-client.ts'

/** Asks before an insight is deleted. */
export function DeleteInsightDialog({
  name,
  onClose,
  onDeleted,
}: {
  /** The insight; nothing is asked while it is undefined. */
  name: InsightName | undefined
  onClose: () => void
  onDeleted?: () => void
}) {
  const calls = useInsightCalls()
  return (
    <ConfirmDialog
      open={name !== undefined}
      title="Delete insight"
      confirmLabel="Delete"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await calls.remove(name!)
        message(`Insight ${name!.insightName} has been deleted.`)
        onDeleted?.()
      }}
    >
      {`${name?.insightName} in ${name?.groupName} will be deleted with all its versions. You can't undo this action.`}
    </ConfirmDialog>
  )
}
