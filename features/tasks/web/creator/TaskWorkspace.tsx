import IconDeviceFloppy from '@tabler/icons-react/dist/esm/icons/IconDeviceFloppy.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useCan } from '@headwater/accounts/web'
import { CodeField } from '@headwater/editors/web'
import {
  Button,
  ConfirmDialog,
  HeaderDivider,
  IconButton,
  links,
  Menu,
  type MenuEntry,
  Page,
  PageHeader,
  UnsavedGuard,
  useShortcut,
} from '@headwater/web-kit'
import type { Task, TaskDefinition } from '../../contract/index.ts'
import { DeleteTaskDialog } from '../components/DeleteTaskDialog.tsx'
import { ParamFields } from '../components/ParamFields.tsx'
import { ParamsTable } from './ParamsTable.tsx'
import type { DrawRun } from './TaskCreator.tsx'
import type { TaskDraft } from './task-draft.ts'
import { TaskSettings } from './TaskSettings.tsx'
import { type TaskActions, useTaskActions } from './use-task-actions.ts'
import styles from './TaskCreator.module.css'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** A task in the creator: stored, or new. */
export function TaskWorkspace({
  begin,
  stored,
  definitions,
  drawRun,
}: {
  begin: TaskDraft
  stored: Task | undefined
  definitions: readonly TaskDefinition[]
  drawRun: DrawRun
}) {
  const mayWrite = useCan()('Task', 'RW', 'Science') && (stored === undefined || stored.writeAccess)
  const actions = useTaskActions(begin, stored)
  const { shown, draft, dirty, errors, dialog } = actions
  const isFree = dialog === undefined
  useShortcut('mod+s', () => void actions.save(), { label: 'Save the task', enabled: mayWrite && isFree })
  const kind = definitions.find(({ definitionName }) => definitionName === draft.definitionName)
  return (
    <Page
      asideLabel="Settings"
      aside={
        <TaskSettings
          draft={draft}
          definitions={definitions}
          disabled={!mayWrite}
          errors={errors}
          onChange={actions.change}
        />
      }
    >
      <PageHeader
        {...(shown === undefined ? {} : { title: shown.readableName })}
        note={noteOf(shown, dirty)}
        actions={<Buttons actions={actions} mayWrite={mayWrite} />}
      />
      <div className={styles.form}>
        <KindParams draft={draft} disabled={!mayWrite} errors={errors} onChange={actions.change} />
        {kind?.openParams === false && draft.ownParams.length === 0 ? null : (
          <ParamsTable draft={draft} disabled={!mayWrite} errors={errors} onChange={actions.change} />
        )}
      </div>
      <Dialogs actions={actions} drawRun={drawRun} />
      <UnsavedGuard when={dirty && mayWrite} />
    </Page>
  )
}

function noteOf(shown: Task | undefined, dirty: boolean): string {
  if (shown === undefined) return 'not saved yet'
  if (shown.groupName === '') return 'built in'
  const version = `v${shown.version}${shown.latest ? '' : ', an older version'}`
  return dirty ? `${version} · unsaved changes` : version
}

/** Fields for what the kind of the task takes; scripts have the height that is left. */
function KindParams({
  draft,
  disabled,
  errors,
  onChange,
}: {
  draft: TaskDraft
  disabled: boolean
  errors: Readonly<Record<string, string>>
  onChange: (draft: TaskDraft) => void
}) {
  const inputs = draft.kindParams.filter(({ type }) => type === 'INPUT')
  const scripts = inputs.filter(({ valueType }) => valueType === 'SCRIPT')
  const others = inputs.filter(({ valueType }) => valueType !== 'SCRIPT')
  const errorsByName = Object.fromEntries(
    draft.kindParams.map(({ name }, index) => [name, errors[`params[${index}].value`]]),
  )
  const set = (values: Readonly<Record<string, string>>) =>
    onChange({
      ...draft,
      kindParams: draft.kindParams.map((param) => ({ ...param, value: values[param.name] ?? param.value })),
    })
  return (
    <>
      {others.length === 0 ? null : (
        <div className={styles.values}>
          <ParamFields
            params={others}
            values={Object.fromEntries(others.map(({ name, value }) => [name, value]))}
            disabled={disabled}
            errors={errorsByName}
            onChange={set}
          />
        </div>
      )}
      {scripts.map(({ name, value }) => (
        <div key={`${draft.definitionName} ${name}`} className={styles.script}>
          <CodeField
            label={name}
            value={value}
            fileName="task.py"
            editable={!disabled}
            error={errorsByName[name]}
            onChange={(text) => set({ [name]: text })}
          />
        </div>
      ))}
    </>
  )
}

function Buttons({ actions, mayWrite }: { actions: TaskActions; mayWrite: boolean }) {
  const { shown, dirty, setDialog } = actions
  const more: MenuEntry[] =
    shown === undefined || shown.groupName === ''
      ? []
      : [
          { label: 'Versions', icon: <IconHistory {...icon} />, href: links.taskVersions(shown.id) },
          ...(mayWrite
            ? [
                {
                  label: 'Delete',
                  icon: <IconTrash {...icon} />,
                  danger: true,
                  onClick: () => setDialog({ kind: 'delete' }),
                },
              ]
            : []),
        ]
  return (
    <>
      {more.length === 0 ? null : (
        <Menu trigger={<IconButton label="More actions" icon={<IconDots {...icon} />} />} items={more} />
      )}
      <HeaderDivider />
      {mayWrite ? (
        <Button
          icon={<IconDeviceFloppy {...icon} />}
          busy={actions.saving}
          disabled={shown !== undefined && !dirty && shown.latest}
          onClick={() => void actions.save()}
        >
          Save
        </Button>
      ) : null}
      <Button
        variant="primary"
        icon={<IconPlayerPlay {...icon} />}
        onClick={() => setDialog({ kind: shown === undefined || dirty ? 'unsaved' : 'run' })}
      >
        Run
      </Button>
    </>
  )
}

function Dialogs({ actions, drawRun }: { actions: TaskActions; drawRun: DrawRun }) {
  const { shown, dialog, setDialog } = actions
  const close = () => setDialog(undefined)
  return (
    <>
      {dialog?.kind === 'unsaved' ? (
        <ConfirmDialog
          open
          title="Task not saved"
          confirmLabel="Save and run"
          onClose={close}
          // what comes next is a dialog of its own, which closing this one would close
          onConfirm={() => void actions.save({ thenRun: true })}
        >
          There are some unsaved changes. To run the task it needs to be saved first.
        </ConfirmDialog>
      ) : null}
      {dialog?.kind === 'conflict' ? (
        <ConfirmDialog
          open
          title="There is a newer version"
          confirmLabel="Save mine as newest"
          cancelLabel="Keep editing"
          danger
          onClose={close}
          onConfirm={() => void actions.save({ force: true, thenRun: dialog.thenRun })}
        >
          {dialog.text} When you save yours as the newest, the other one stays among the versions.
        </ConfirmDialog>
      ) : null}
      <DeleteTaskDialog
        task={dialog?.kind === 'delete' ? shown : undefined}
        onClose={close}
        onDeleted={() => actions.leave(links.scienceList('tasks'))}
      />
      {dialog?.kind === 'run' && shown !== undefined ? drawRun({ task: shown, onClose: close }) : null}
    </>
  )
}
