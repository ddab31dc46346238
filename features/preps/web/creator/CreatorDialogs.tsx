import { NewerVersion } from '@headwater/accounts/web'
import { ConfirmDialog, ConflictDialog, lazyPart, links, PartBoundary } from '@headwater/web-kit'
import { DeletePrepDialog } from '../components/DeletePrepDialog.tsx'
import { SavePrepDialog } from '../components/SavePrepDialog.tsx'
import { VersionsDialog } from '../components/VersionsDialog.tsx'
import type { CreatorTab } from '../prep-links.ts'
import type { SavePurpose } from '../use-save-prep.ts'
import type { CreatorActions, CreatorDialog, SavedUse } from './use-creator-actions.ts'
import type { PrepDraftState } from './use-prep-draft.ts'

const saveTexts: Record<SavePurpose, { title: string; submitLabel: string }> = {
  create: { title: 'Save data prep', submitLabel: 'Save' },
  copy: { title: 'Copy data prep', submitLabel: 'Save copy' },
  edit: { title: 'Rename or move', submitLabel: 'Save' },
}

const ScheduleDialog = lazyPart(() => import('../components/ScheduleDialog.tsx'))

/** Dialogs of the creator; at most one is open. */
export function CreatorDialogs({
  dialog,
  state,
  tab,
  actions,
  onClose,
}: {
  dialog: CreatorDialog | undefined
  state: PrepDraftState
  tab: CreatorTab
  actions: CreatorActions
  onClose: () => void
}) {
  const { stored, draft } = state
  return (
    <>
      {dialog?.kind === 'save' ? (
        <SavePrepDialog
          {...saveTexts[dialog.purpose]}
          initial={{
            name: stored === undefined ? '' : dialog.purpose === 'copy' ? `${stored.name} copy` : stored.name,
            groupName: stored === undefined || stored.writeAccess ? draft.settings.outputGroup : '',
          }}
          onSave={(target) => actions.saveAs(dialog.purpose, target, { use: dialog.use })}
          onClose={onClose}
        />
      ) : null}
      {dialog?.kind === 'unsaved' ? (
        <UnsavedPrompt use={dialog.use} onSave={() => actions.save(dialog.use)} onClose={onClose} />
      ) : null}
      {dialog?.kind === 'conflict' ? (
        <ConflictDialog
          text={<NewerVersion newer={dialog.newer} edited={stored} />}
          onClose={onClose}
          onOverwrite={() => actions.saveAs('edit', dialog.target, { use: dialog.use, force: true })}
        />
      ) : null}
      <DeletePrepDialog
        prep={dialog?.kind === 'delete' ? stored : undefined}
        onClose={onClose}
        onDeleted={() => actions.leave(links.storageList())}
      />
      <VersionsDialog
        prep={dialog?.kind === 'versions' ? stored : undefined}
        {...(stored === undefined ? {} : { current: stored.version })}
        tab={tab}
        onClose={onClose}
      />
      <PartBoundary fallback={null}>
        {dialog?.kind === 'schedule' && stored !== undefined ? (
          <ScheduleDialog prep={stored} onClose={onClose} />
        ) : null}
      </PartBoundary>
    </>
  )
}

/** Asks the user to save before a run or download. */
function UnsavedPrompt({
  use,
  onSave,
  onClose,
}: {
  use: SavedUse
  onSave: () => Promise<void>
  onClose: () => void
}) {
  const verb = use.kind === 'run' ? 'run' : 'download'
  return (
    <ConfirmDialog
      open
      title="Data prep not saved"
      confirmLabel={`Save and ${verb}`}
      onClose={onClose}
      // Not awaited, because closing this dialog would also close a dialog that the save opens.
      onConfirm={() => void onSave()}
    >
      {`There are some unsaved changes. To ${verb} the data prep it needs to be saved first.`}
    </ConfirmDialog>
  )
}
