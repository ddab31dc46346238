import { DeleteItemDialog } from '@headwater/items/web'
import { useSlot } from '@headwater/web-kit'
import { useInsightCalls } from '../insights-client.ts'
import { insightDependents, type NamedInsight } from '../slots.ts'
import { PartFrame } from './PartFrame.tsx'

/** Confirms the deletion of an insight. */
export function DeleteInsightDialog({
  name,
  onClose,
  onDeleted,
}: {
  /** The insight to delete; the dialog is closed while it is undefined. */
  name: NamedInsight | undefined
  onClose: () => void
  onDeleted?: () => void
}) {
  const calls = useInsightCalls()
  const dependents = useSlot(insightDependents)
  return (
    <DeleteItemDialog
      noun="insight"
      open={name !== undefined}
      deletedText={`Insight ${name?.insightName} has been deleted.`}
      remove={() => calls.remove(name!)}
      onClose={onClose}
      onDeleted={onDeleted}
    >
      <p>{`${name?.insightName} in ${name?.groupName} will be deleted with all its versions and the files of its text tiles. You can't undo this action.`}</p>
      <p>Uploaded pictures and PDFs stay in their groups.</p>
      {name === undefined
        ? null
        : dependents.map((Dependent, index) => (
            <PartFrame key={index}>
              <Dependent insight={name} />
            </PartFrame>
          ))}
    </DeleteItemDialog>
  )
}
