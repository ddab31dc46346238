import { useNavigate, useSearchParams } from 'react-router'
import { useSettings } from '@headwater/accounts/web'
import { ConfirmDialog, links } from '@headwater/web-kit'
import type { Insight } from '../../../contract/index.ts'
import { DeleteInsightDialog } from '../../components/DeleteInsightDialog.tsx'
import { SaveDialog } from '../../components/SaveDialog.tsx'
import { SeriesPicker, type PickedSeries } from '../../components/SeriesPicker.tsx'
import type { InsightForm } from '../../insights-client.ts'
import type { FormPurpose } from './use-saving.ts'

/** Which dialog of an insight is open. */
export type OpenDialog = FormPurpose | 'delete' | 'discard' | 'conflict' | 'quick'

const formTexts: Record<FormPurpose, { title: string; submitLabel: string }> = {
  create: { title: 'Save insight', submitLabel: 'Save' },
  copy: { title: 'Save a copy', submitLabel: 'Save copy' },
  details: { title: 'Rename, move or tag', submitLabel: 'Save' },
}

/** The dialogs of an insight; at most one is open. */
export function WorkspaceDialogs(props: {
  dialog: OpenDialog | undefined
  shown: Insight | undefined
  onClose: () => void
  onForm: (purpose: FormPurpose, form: InsightForm) => Promise<void>
  onPicked: (series: PickedSeries[], combined: boolean) => void
  onDiscard: () => void
  onOverwrite: () => Promise<void>
}) {
  const { dialog, shown, onClose } = props
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const settings = useSettings()
  const group = search.get('groupName') ?? settings?.defaultGroup ?? ''
  return (
    <>
      <SeriesPicker open={dialog === 'quick'} combinable onClose={onClose} onPick={props.onPicked} />
      {dialog === 'create' || dialog === 'copy' || dialog === 'details' ? (
        <SaveDialog
          {...formTexts[dialog]}
          initial={formOf(dialog, shown, group)}
          onClose={onClose}
          onSave={async (form) => {
            await props.onForm(dialog, form)
            onClose()
          }}
        />
      ) : null}
      <DeleteInsightDialog
        name={dialog === 'delete' ? shown : undefined}
        onClose={onClose}
        onDeleted={() => void navigate(links.insightList(), { replace: true })}
      />
      <ConfirmDialog
        open={dialog === 'discard'}
        title="Unsaved changes"
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        danger
        onClose={onClose}
        onConfirm={props.onDiscard}
      >
        The changes since the last save will be lost.
      </ConfirmDialog>
      <ConfirmDialog
        open={dialog === 'conflict'}
        title="Saved by somebody else"
        confirmLabel="Save mine over it"
        cancelLabel="Keep editing"
        danger
        onClose={onClose}
        onConfirm={props.onOverwrite}
      >
        This insight was saved by somebody else while you were editing it. Their version stays in the history
        of the file when you save yours over it. To see it first, open the insight in another tab.
      </ConfirmDialog>
    </>
  )
}

function formOf(purpose: FormPurpose, shown: Insight | undefined, groupName: string): InsightForm {
  if (shown === undefined) return { insightName: '', groupName, description: '', tags: [] }
  const { insightName, description, tags } = shown
  return {
    insightName: purpose === 'copy' ? `${insightName} copy` : insightName,
    groupName: purpose === 'copy' && !shown.writeAccess ? groupName : shown.groupName,
    description,
    tags,
  }
}
