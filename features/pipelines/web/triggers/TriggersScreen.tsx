import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import IconBolt from '@tabler/icons-react/dist/esm/icons/IconBolt.mjs'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useCan } from '@headwater/accounts/web'
import {
  Button,
  ConfirmDialog,
  EmptyState,
  ErrorState,
  links,
  Menu,
  message,
  Page,
  PageHeader,
  Skeleton,
  toastError,
  useTimeZone,
} from '@headwater/web-kit'
import type { PipelineTrigger, TriggerInput } from '../../contract/index.ts'
import { pipelineQuery } from '../pipelines-client.ts'
import { FailureMailDialog } from './FailureMailDialog.tsx'
import { inputOf, newTrigger } from './new-trigger.ts'
import { TriggerDialog } from './TriggerDialog.tsx'
import { triggerLabels } from '../trigger-labels.ts'
import { triggerNameOf } from './trigger-texts.ts'
import { useTriggerCalls, useTriggers } from './triggers-client.ts'
import { TriggersTable } from './TriggersTable.tsx'
import { WebhookSecretDialog } from './WebhookSecretDialog.tsx'

const icon = { size: 16, stroke: 1.6 } as const

type OpenDialog =
  | { kind: 'edit'; trigger: TriggerInput; owner: string | undefined }
  | { kind: 'failure-mail' }
  | { kind: 'delete'; trigger: PipelineTrigger }
  | { kind: 'secret'; path: string; signingKey: string | null }

/** Page with the triggers of a pipeline, which start its runs, with a form for each type. */
export default function TriggersScreen() {
  const { groupName = '', name = '' } = useParams()
  const canWrite = useCan()('Creator', 'RW', 'Science')
  const timeZone = useTimeZone()
  const pipeline = useQuery(pipelineQuery({ groupName, name, version: 'latest' }))
  const id = pipeline.data?.pipeline.id
  const triggers = useTriggers(id)
  const calls = useTriggerCalls(id ?? '')
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  const canEdit = canWrite && pipeline.data?.pipeline.writeAccess === true
  const error =
    pipeline.data === undefined ? pipeline.error : triggers.data === undefined ? triggers.error : null

  async function save(trigger: TriggerInput): Promise<PipelineTrigger> {
    const saved = await calls.save(trigger)
    message('Your changes have been saved')
    if (saved.type === 'None' && saved.path !== null)
      setDialog({ kind: 'secret', path: saved.path, signingKey: saved.signingKey })
    else close()
    return saved
  }
  const add = (
    <Menu
      trigger={
        <Button variant="primary" icon={<IconPlus {...icon} />}>
          Add trigger
        </Button>
      }
      items={Object.entries(triggerLabels).map(([type, label]) => ({
        label,
        onClick: () =>
          setDialog({
            kind: 'edit',
            trigger: newTrigger(type as TriggerInput['type'], timeZone),
            owner: undefined,
          }),
      }))}
    />
  )
  return (
    <Page>
      <PageHeader
        title={`Triggers of ${name}`}
        actions={
          <>
            <Button icon={<IconExternalLink {...icon} />} href={links.pipeline(groupName, name)}>
              Open pipeline
            </Button>
            {canEdit ? (
              <Button icon={<IconMail {...icon} />} onClick={() => setDialog({ kind: 'failure-mail' })}>
                E-mail on failure
              </Button>
            ) : null}
            {canEdit ? add : null}
          </>
        }
      />
      {error !== null ? (
        <ErrorState
          error={error}
          onRetry={() => void (pipeline.data === undefined ? pipeline : triggers).refetch()}
        />
      ) : triggers.data === undefined ? (
        <Skeleton lines={5} />
      ) : (
        <TriggersTable
          triggers={triggers.data.schedulerTriggers}
          onSwitch={
            canEdit
              ? (trigger, active) => void calls.save({ ...inputOf(trigger), active }).catch(toastError)
              : undefined
          }
          actionsOf={(trigger) =>
            canEdit
              ? [
                  {
                    label: 'Edit',
                    icon: <IconPencil {...icon} />,
                    onClick: () =>
                      setDialog({ kind: 'edit', trigger: inputOf(trigger), owner: trigger.owner }),
                  },
                  {
                    label: 'Delete',
                    icon: <IconTrash {...icon} />,
                    danger: true,
                    onClick: () => setDialog({ kind: 'delete', trigger }),
                  },
                ]
              : []
          }
          empty={
            <EmptyState
              icon={<IconBolt size={20} stroke={1.6} />}
              title="No triggers yet"
              action={canEdit ? add : undefined}
            >
              A trigger starts runs on a schedule, when a file, an e-mail or a web request arrives, or after
              another pipeline ends.
            </EmptyState>
          }
        />
      )}
      {dialog?.kind === 'edit' ? (
        <TriggerDialog trigger={dialog.trigger} owner={dialog.owner} onSave={save} onClose={close} />
      ) : null}
      {dialog?.kind === 'failure-mail' && id !== undefined ? (
        <FailureMailDialog pipeline={{ id, name, groupName }} onClose={close} />
      ) : null}
      {dialog?.kind === 'secret' ? <WebhookSecretDialog {...dialog} onClose={close} /> : null}
      {dialog?.kind === 'delete' ? (
        <ConfirmDialog
          open
          danger
          title="Delete trigger"
          confirmLabel="Delete"
          onClose={close}
          onConfirm={() => calls.remove(dialog.trigger.id).catch(toastError)}
        >
          {`“${triggerNameOf(dialog.trigger)}” will be deleted immediately. You can't undo this action.`}
        </ConfirmDialog>
      ) : null}
    </Page>
  )
}
