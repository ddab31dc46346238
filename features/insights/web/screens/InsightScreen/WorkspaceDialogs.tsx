import { useNavigate, useSearchParams } from 'react-router'
import { NewerVersion } from '@headwater/accounts/web'
import { ConfirmDialog, ConflictDialog, lazyPart, links, TextLink } from '@headwater/web-kit'
import { infoValue, type Insight } from '../../../contract/index.ts'
import { DeleteInsightDialog } from '../../components/DeleteInsightDialog.tsx'
import { PartFrame } from '../../components/PartFrame.tsx'
import { SaveDialog } from '../../components/SaveDialog.tsx'
import { lastGroupOf } from '@headwater/tile-data/core'
import { SeriesPicker } from '@headwater/tiles/web'
import { newId } from '../../builder/new-id.ts'
import { newTile } from '../../builder/new-tile.ts'
import type { InsightForm } from '../../insights-client.ts'
import type { FormPurpose } from './use-saving.ts'
import type { Workspace } from './use-workspace.ts'

const SaveTemplateDialog = lazyPart(() => import('../../templates/SaveTemplateDialog.tsx'))

const formTexts: Record<FormPurpose, { title: string; submitLabel: string }> = {
  create: { title: 'Save insight', submitLabel: 'Save' },
  copy: { title: 'Save a copy', submitLabel: 'Save copy' },
  details: { title: 'Rename, move or tag', submitLabel: 'Save' },
}

/** The dialogs of the page of an insight; at most one is open. */
export default function WorkspaceDialogs({
  workspace,
  description,
}: {
  /** The page. */
  workspace: Workspace
  /** The initial description of a new insight. */
  description: string
}) {
  const { stored, dialog, newer, saving } = workspace
  const { current } = dialog
  const onClose = () => dialog.open(undefined)
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const group = search.get('groupName') ?? workspace.suggestedGroup
  return (
    <>
      <QuickChartPicker workspace={workspace} />
      {current === 'create' || current === 'copy' || current === 'details' ? (
        <SaveDialog
          {...formTexts[current]}
          initial={formOf(current, stored, { group, description })}
          logo={
            stored && current !== 'create'
              ? { name: stored, id: infoValue(stored.fields, 'logo') }
              : undefined
          }
          isNew={current !== 'details'}
          onClose={onClose}
          onSave={async (form) => {
            await saving.saveForm(current, form)
            onClose()
          }}
        />
      ) : null}
      <DeleteInsightDialog
        name={current === 'delete' ? stored : undefined}
        onClose={onClose}
        onDeleted={() => void navigate(links.insightList(), { replace: true })}
      />
      <ConfirmDialog
        open={current === 'discard'}
        title="Unsaved changes"
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        danger
        onClose={onClose}
        onConfirm={workspace.discard}
      >
        The changes since the last save will be lost.
      </ConfirmDialog>
      {current === 'conflict' && newer !== undefined ? (
        <InsightConflict
          newer={newer}
          edited={stored && { version: stored.version }}
          onClose={onClose}
          onOverwrite={() => saving.save({ force: true })}
        />
      ) : null}
      {current === 'template' && stored !== undefined ? (
        <PartFrame onClose={onClose}>
          <SaveTemplateDialog insight={stored} onClose={onClose} />
        </PartFrame>
      ) : null}
    </>
  )
}

/** Picks the series of a quick chart, from the group of the last series, of the URL or of the insight. */
function QuickChartPicker({ workspace }: { workspace: Workspace }) {
  const { content, stored, adding, dialog } = workspace
  const [search] = useSearchParams()
  return (
    <SeriesPicker
      open={dialog.current === 'quick'}
      groupName={lastGroupOf(content) ?? search.get('groupName') ?? stored?.groupName}
      combinable
      onClose={() => dialog.open(undefined)}
      onPick={(picked, combined) => {
        const { tile, dataPrep } = newTile('quick', newId(), picked, combined)
        adding.onTile(tile, { dataPrep })
        dialog.open(undefined)
      }}
    />
  )
}

/** Reports that another version was saved, with a link to its changes. */
function InsightConflict({
  newer,
  edited,
  onClose,
  onOverwrite,
}: {
  newer: Insight
  edited: { version: number } | undefined
  onClose: () => void
  onOverwrite: () => Promise<void>
}) {
  const page = links.insight(newer.groupName, newer.insightName)
  return (
    <ConflictDialog
      text={
        <>
          <NewerVersion
            newer={{ version: newer.version, author: newer.owner, savedAt: newer.modified }}
            edited={edited}
          />{' '}
          <TextLink href={`${page}/Versions/${newer.version}`} newTab>
            Show its changes
          </TextLink>
          .
        </>
      }
      onClose={onClose}
      onOverwrite={onOverwrite}
    />
  )
}

function formOf(
  purpose: FormPurpose,
  stored: Insight | undefined,
  { group: groupName, description: initial }: { group: string; description: string },
): InsightForm {
  if (stored === undefined) return { insightName: '', groupName, description: initial, tags: [] }
  const { insightName, description, tags } = stored
  const useUserToken = infoValue(stored.fields, 'use_user_token') === 'true'
  return {
    insightName: purpose === 'copy' ? `${insightName} copy` : insightName,
    groupName: purpose === 'copy' && !stored.writeAccess ? groupName : stored.groupName,
    description,
    tags,
    useUserToken,
  }
}
