import { DeleteItemDialog } from '@headwater/items/web'
import { type ExportedInsight, useExporter } from '../email-export/exporter-client.ts'
import { usePublicStatus } from '../sharing/sharing-client.ts'
import { useInsightCalls } from '../insights-client.ts'

/** Asks before an insight is deleted. */
export function DeleteInsightDialog({
  name,
  onClose,
  onDeleted,
}: {
  /** The insight; nothing is asked while it is undefined. */
  name: ExportedInsight | undefined
  onClose: () => void
  onDeleted?: () => void
}) {
  const calls = useInsightCalls()
  return (
    <DeleteItemDialog
      noun="insight"
      open={name !== undefined}
      deletedText={`Insight ${name?.insightName} has been deleted.`}
      remove={() => calls.remove(name!)}
      onClose={onClose}
      onDeleted={onDeleted}
    >
      <p>{`${name?.insightName} in ${name?.groupName} will be deleted with all its versions. You can't undo this action.`}</p>
      {name === undefined ? null : <Consequences name={name} />}
    </DeleteItemDialog>
  )
}

/** What depends on the insight, as far as the user can read it. */
function Consequences({ name }: { name: ExportedInsight }) {
  const status = usePublicStatus(name)
  const exporter = useExporter(name)
  return (
    <>
      {status.data?.isPublic === true ? (
        <p>The insight is public. Its public links stop working immediately.</p>
      ) : null}
      {exporter.data ? (
        <p>
          {`The pipeline ${exporter.data.pipeline.name} sends it by e-mail. It stays, and its runs fail until you delete it.`}
        </p>
      ) : null}
    </>
  )
}
