import { useNavigate, useSearchParams } from 'react-router'
import { useSession, useSettings } from '@headwater/accounts/web'
import { ConfirmDialog, lazyPart, links, TextLink } from '@headwater/web-kit'
import { infoValue, type Insight } from '../../../contract/index.ts'
import { DeleteInsightDialog } from '../../components/DeleteInsightDialog.tsx'
import { PartFrame } from '../../components/PartFrame.tsx'
import { SaveDialog } from '../../components/SaveDialog.tsx'
import { SeriesPicker, type PickedSeries } from '@headwater/tiles/web'
import type { InsightForm } from '../../insights-client.ts'
import type { FormPurpose } from './use-saving.ts'

const SaveTemplateDialog = lazyPart(() => import('../../templates/SaveTemplateDialog.tsx'))

/** Which dialog of an insight is open; `action`: one of an action that a later feature added. */
export type OpenDialog = FormPurpose | 'delete' | 'discard' | 'conflict' | 'quick' | 'template' | 'action'

const formTexts: Record<FormPurpose, { title: string; submitLabel: string }> = {
  create: { title: 'Save insight', submitLabel: 'Save' },
  copy: { title: 'Save a copy', submitLabel: 'Save copy' },
  details: { title: 'Rename, move or tag', submitLabel: 'Save' },
}

/** The dialogs of an insight; at most one is open. */
export function WorkspaceDialogs(props: {
  dialog: OpenDialog | undefined
  shown: Insight | undefined
  /** What somebody else saved meanwhile. */
  newer: Insight | undefined
  /** Description of a new insight until the user writes one. */
  description: string
  /** The group of the last series; undefined without any. */
  lastGroup: string | undefined
  /** The group that a new insight is saved in unless the user chooses another; undefined = the default group of the user. */
  suggestedGroup: string | undefined
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
  const group = search.get('groupName') ?? props.suggestedGroup ?? settings?.defaultGroup ?? ''
  return (
    <>
      <SeriesPicker
        open={dialog === 'quick'}
        groupName={props.lastGroup ?? search.get('groupName') ?? undefined}
        combinable
        onClose={onClose}
        onPick={props.onPicked}
      />
      {dialog === 'create' || dialog === 'copy' || dialog === 'details' ? (
        <SaveDialog
          {...formTexts[dialog]}
          initial={formOf(dialog, shown, { group, description: props.description })}
          logo={
            shown && dialog !== 'create' ? { name: shown, id: infoValue(shown.fields, 'logo') } : undefined
          }
          isNew={dialog !== 'details'}
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
      {dialog === 'conflict' && props.newer !== undefined ? (
        <ConflictDialog newer={props.newer} onClose={onClose} onOverwrite={props.onOverwrite} />
      ) : null}
      {dialog === 'template' && shown !== undefined ? (
        <PartFrame onClose={onClose}>
          <SaveTemplateDialog insight={shown} onClose={onClose} />
        </PartFrame>
      ) : null}
    </>
  )
}

/** Says who saved meanwhile, with a way to see what. */
function ConflictDialog({
  newer,
  onClose,
  onOverwrite,
}: {
  newer: Insight
  onClose: () => void
  onOverwrite: () => Promise<void>
}) {
  const { userName } = useSession()
  const isOwn = newer.owner === userName
  const page = links.insight(newer.groupName, newer.insightName)
  return (
    <ConfirmDialog
      open
      title={isOwn ? 'You saved this insight elsewhere' : 'Someone else saved this insight'}
      confirmLabel="Save mine as newest"
      cancelLabel="Keep editing"
      danger
      onClose={onClose}
      onConfirm={onOverwrite}
    >
      {isOwn
        ? 'You saved a version in another tab or on another device while you were editing here.'
        : `This insight was saved by ${newer.owner} while you were editing it.`}{' '}
      If you save yours, version {newer.version} stays in the list of versions.{' '}
      <TextLink href={`${page}/Versions/${newer.version}`} newTab>
        Show its changes
      </TextLink>
    </ConfirmDialog>
  )
}

function formOf(
  purpose: FormPurpose,
  shown: Insight | undefined,
  { group: groupName, description: first }: { group: string; description: string },
): InsightForm {
  if (shown === undefined) return { insightName: '', groupName, description: first, tags: [] }
  const { insightName, description, tags } = shown
  const useUserToken = infoValue(shown.fields, 'use_user_token') === 'true'
  return {
    insightName: purpose === 'copy' ? `${insightName} copy` : insightName,
    groupName: purpose === 'copy' && !shown.writeAccess ? groupName : shown.groupName,
    description,
    tags,
    useUserToken,
  }
}
