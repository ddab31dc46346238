import IconDeviceFloppy from '@tabler/icons-react/dist/esm/icons/IconDeviceFloppy.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useCan } from '@headwater/accounts/web'
import { CodeField } from '@headwater/editors/web'
import { NewerVersionDialog } from '@headwater/items/web'
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
import { TaskParamsForm } from '../params/TaskParamsForm.tsx'
import { ParamsTable } from './ParamsTable.tsx'
import type { DrawRun } from './TaskCreator.tsx'
import type { TaskDraft } from './task-draft.ts'
import { TaskSettings } from './TaskSettings.tsx'
import { type TaskActions, useTaskActions } from './use-task-actions.ts'
import styles from './TaskCreator.module.css'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** Editor of a saved or new task. */
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
  const canWrite = useCan()('Task', 'RW', 'Science') && (stored === undefined || stored.writeAccess)
  const actions = useTaskActions(begin, stored)
  const { savedTask, draft, dirty, errors, dialog } = actions
  const isDialogClosed = dialog === undefined
  useShortcut('mod+s', () => void actions.save(), {
    label: 'Save the task',
    enabled: canWrite && isDialogClosed,
  })
  const kind = definitions.find(({ definitionName }) => definitionName === draft.definitionName)
  return (
    <Page
      asideLabel="Settings"
      aside={
        <TaskSettings
          draft={draft}
          definitions={definitions}
          disabled={!canWrite}
          errors={errors}
          onChange={actions.change}
        />
      }
    >
      <PageHeader
        {...(savedTask === undefined ? {} : { title: savedTask.readableName })}
        note={noteOf(savedTask, dirty)}
        actions={<Buttons actions={actions} canWrite={canWrite} />}
      />
      <div className={styles.form}>
        <KindParams draft={draft} disabled={!canWrite} errors={errors} onChange={actions.change} />
        {kind?.openParams === false && draft.ownParams.length === 0 ? null : (
          <ParamsTable draft={draft} disabled={!canWrite} errors={errors} onChange={actions.change} />
        )}
      </div>
      <Dialogs actions={actions} drawRun={drawRun} />
      <UnsavedGuard when={dirty && canWrite} />
    </Page>
  )
}

function noteOf(savedTask: Task | undefined, dirty: boolean): string {
  if (savedTask === undefined) return 'not saved yet'
  if (savedTask.groupName === '') return 'built in'
  const version = `v${savedTask.version}${savedTask.latest ? '' : ', an older version'}`
  return dirty ? `${version} · unsaved changes` : version
}

/** Fields for the parameters of the kind. Scripts fill the remaining height. */
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
          <TaskParamsForm
            params={others}
            groupName={draft.groupName}
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

function Buttons({ actions, canWrite }: { actions: TaskActions; canWrite: boolean }) {
  const { savedTask, dirty, setDialog } = actions
  const more: MenuEntry[] =
    savedTask === undefined || savedTask.groupName === ''
      ? []
      : [
          { label: 'Versions', icon: <IconHistory {...icon} />, href: links.taskVersions(savedTask.id) },
          ...(canWrite
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
      {canWrite ? (
        <Button
          icon={<IconDeviceFloppy {...icon} />}
          busy={actions.saving}
          disabled={savedTask !== undefined && !dirty && savedTask.latest}
          onClick={() => void actions.save()}
        >
          Save
        </Button>
      ) : null}
      <Button
        variant="primary"
        icon={<IconPlayerPlay {...icon} />}
        onClick={() => setDialog({ kind: savedTask === undefined || dirty ? 'unsaved' : 'run' })}
      >
        Run
      </Button>
    </>
  )
}

function Dialogs({ actions, drawRun }: { actions: TaskActions; drawRun: DrawRun }) {
  const { savedTask, dialog, setDialog } = actions
  const close = () => setDialog(undefined)
  return (
    <>
      {dialog?.kind === 'unsaved' ? (
        <ConfirmDialog
          open
          title="Task not saved"
          confirmLabel="Save and run"
          onClose={close}
          // Saving opens the run dialog; closing this one would close it too.
          onConfirm={() => void actions.save({ thenRun: true })}
        >
          There are some unsaved changes. To run the task it needs to be saved first.
        </ConfirmDialog>
      ) : null}
      {dialog?.kind === 'conflict' ? (
        <NewerVersionDialog
          text={dialog.text}
          onClose={close}
          onSave={() => void actions.save({ force: true, thenRun: dialog.thenRun })}
        />
      ) : null}
      <DeleteTaskDialog
        task={dialog?.kind === 'delete' ? savedTask : undefined}
        onClose={close}
        onDeleted={() => actions.leave(links.scienceList('tasks'))}
      />
      {dialog?.kind === 'run' && savedTask !== undefined
        ? drawRun({ task: savedTask, onClose: close })
        : null}
    </>
  )
}
