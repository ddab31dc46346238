import IconDeviceFloppy from '@tabler/icons-react/dist/esm/icons/IconDeviceFloppy.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useState } from 'react'
import { NewerVersion, useCan } from '@headwater/accounts/web'
import { CodeField } from '@headwater/editors/web'
import {
  Button,
  ConflictDialog,
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
import { TestRunSection } from './TestRunSection.tsx'
import type { RunSample } from './TestRunPanel.tsx'
import { hasPosition, type TestResult, testErrorText } from './test-result.ts'
import { TaskParamsForm } from '../params/TaskParamsForm.tsx'
import { ParamsTable } from './ParamsTable.tsx'
import { OutputDock, useDockSide } from './OutputDock.tsx'
import { RunInputs, runInputsOf } from './RunInputs.tsx'
import type { TaskDraft } from './task-draft.ts'
import { TaskSettings } from './TaskSettings.tsx'
import { type TaskActions, useTaskActions } from './use-task-actions.ts'
import { useSqlNames } from './use-sql-names.ts'
import type { TaskRun } from './use-task-run.ts'
import styles from './TaskCreator.module.css'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** Editor of a saved or new task. */
export function TaskWorkspace({
  begin,
  stored,
  definitions,
  run,
  runSample,
}: {
  begin: TaskDraft
  stored: Task | undefined
  definitions: readonly TaskDefinition[]
  run: TaskRun
  /** Provides values of an earlier run for the test run. Default: none. */
  runSample: RunSample | undefined
}) {
  const canWrite = useCan()('Task', 'RW', 'Science') && (stored === undefined || stored.writeAccess)
  const actions = useTaskActions(begin, stored)
  const { savedTask, draft, dirty, errors, dialog } = actions
  const inputs = runInputsOf(draft, canWrite ? undefined : savedTask)
  const names = inputs.map(({ name }) => name)
  /** Saves the changes and starts a run. */
  async function runDraft({ force = false } = {}): Promise<void> {
    const isSaved = savedTask !== undefined && !dirty
    const task = isSaved ? savedTask : await actions.save({ force, thenRun: true })
    if (task !== undefined) await run.start(task, names)
  }
  const [side, setSide] = useDockSide()
  const canTest = useCan()('Creator', 'RW', 'Science') && canWrite && testedKinds.has(draft.definitionName)
  const [failure, setFailure] = useState<{ draft: TaskDraft; result: TestResult }>()
  const isDialogClosed = dialog === undefined
  useShortcut('mod+s', () => void actions.save(), {
    label: 'Save the task',
    enabled: canWrite && isDialogClosed,
  })
  const kind = definitions.find(({ definitionName }) => definitionName === draft.definitionName)
  const runInputs = <RunInputs inputs={inputs} run={run} groupName={draft.groupName} />
  const isBesideScript = canWrite || draft.kindParams.some(({ valueType }) => valueType === 'SCRIPT')
  return (
    <Page
      asideLabel="Settings"
      aside={
        <div className={styles.aside}>
          {isBesideScript ? runInputs : null}
          <TaskSettings
            draft={draft}
            definitions={definitions}
            disabled={!canWrite}
            errors={errors}
            onChange={actions.change}
          />
        </div>
      }
    >
      <PageHeader
        {...(savedTask === undefined ? {} : { title: savedTask.readableName })}
        note={noteOf(savedTask, dirty)}
        actions={<Buttons actions={actions} run={run} onRun={() => void runDraft()} canWrite={canWrite} />}
      />
      <div className={styles.form}>
        {isBesideScript ? null : <div className={styles.values}>{runInputs}</div>}
        {canWrite ? (
          <KindValues draft={draft} disabled={!canWrite} errors={errors} onChange={actions.change} />
        ) : null}
        <div className={styles.work} data-output={side}>
          <Scripts
            draft={draft}
            disabled={!canWrite}
            errors={errors}
            failure={failure?.draft === draft ? failure.result : undefined}
            onChange={actions.change}
          />
          {run.jobId === undefined ? null : (
            <OutputDock run={{ ...run, jobId: run.jobId }} side={side} onSide={setSide} />
          )}
        </div>
        {canTest ? (
          <TestRunSection
            taskId={savedTask?.id}
            draft={draft}
            runSample={runSample}
            onResult={(tested, result) => setFailure({ draft: tested, result })}
          />
        ) : null}
        {kind?.openParams === false && draft.ownParams.length === 0 ? null : (
          <ParamsTable draft={draft} disabled={!canWrite} errors={errors} onChange={actions.change} />
        )}
      </div>
      <Dialogs actions={actions} onSaveAndRun={() => void runDraft({ force: true })} />
      <UnsavedGuard when={dirty && canWrite} />
    </Page>
  )
}

/** Kinds of tasks with test runs. */
const testedKinds: ReadonlySet<string> = new Set(['python-runner', 'sql-query'])

/** Script file names by kind. Default: task.py. */
const scriptFiles: Readonly<Record<string, string>> = { 'sql-query': 'task.sql' }

function noteOf(savedTask: Task | undefined, dirty: boolean): string {
  if (savedTask === undefined) return 'not saved yet'
  if (savedTask.groupName === '') return 'built in'
  const version = `v${savedTask.version}${savedTask.latest ? '' : ', an older version'}`
  return dirty ? `${version} · unsaved changes` : version
}

interface KindFields {
  draft: TaskDraft
  disabled: boolean
  errors: Readonly<Record<string, string>>
  onChange: (draft: TaskDraft) => void
}

/** Returns the inputs of the kind, their errors by name, and a function that sets values. */
function kindInputsOf({ draft, errors, onChange }: KindFields) {
  return {
    inputs: draft.kindParams.filter(({ type }) => type === 'INPUT'),
    errorsByName: Object.fromEntries(
      draft.kindParams.map(({ name }, index) => [name, errors[`params[${index}].value`]]),
    ),
    set: (values: Readonly<Record<string, string>>) =>
      onChange({
        ...draft,
        kindParams: draft.kindParams.map((param) => ({ ...param, value: values[param.name] ?? param.value })),
      }),
  }
}

/** Fields for the parameters of the kind, except scripts. */
function KindValues(fields: KindFields) {
  const { inputs, errorsByName, set } = kindInputsOf(fields)
  const values = inputs.filter(({ valueType }) => valueType !== 'SCRIPT')
  return values.length === 0 ? null : (
    <div className={styles.values}>
      <TaskParamsForm
        params={values}
        groupName={fields.draft.groupName}
        values={Object.fromEntries(values.map(({ name, value }) => [name, value]))}
        disabled={fields.disabled}
        errors={errorsByName}
        onChange={set}
      />
    </div>
  )
}

/** Editors of the scripts of the kind. They fill the remaining height. */
function Scripts({ failure, ...fields }: KindFields & { failure: TestResult | undefined }) {
  const { inputs, errorsByName, set } = kindInputsOf(fields)
  const names = useSqlNames(fields.draft)
  const scripts = inputs.filter(({ valueType }) => valueType === 'SCRIPT')
  const failed = failure?.status === 'ERROR' && hasPosition(failure) ? failure : undefined
  return scripts.length === 0 ? null : (
    <div className={styles.scripts}>
      {scripts.map(({ name, value }) => (
        <div key={`${fields.draft.definitionName} ${name}`} className={styles.script}>
          <CodeField
            label={name}
            value={value}
            // The extension selects the language of the editor.
            fileName={scriptFiles[fields.draft.definitionName] ?? 'task.py'}
            editable={!fields.disabled}
            error={errorsByName[name] ?? (failed && testErrorText(failed))}
            {...(failed?.line && errorsByName[name] === undefined
              ? { marked: beginningOf(value, failed.line) }
              : {})}
            names={names}
            onChange={(text) => set({ [name]: text })}
          />
        </div>
      ))}
    </div>
  )
}

/** Returns the position of the first non-blank character of a line. */
function beginningOf(script: string, line: number) {
  const text = script.split(/\r\n?|\n/)[line - 1] ?? ''
  return { line, column: text.length - text.trimStart().length + 1 }
}

function Buttons({
  actions,
  run,
  onRun,
  canWrite,
}: {
  actions: TaskActions
  run: TaskRun
  onRun: () => void
  canWrite: boolean
}) {
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
      <Button variant="primary" icon={<IconPlayerPlay {...icon} />} busy={run.isRunning} onClick={onRun}>
        Run
      </Button>
    </>
  )
}

function Dialogs({ actions, onSaveAndRun }: { actions: TaskActions; onSaveAndRun: () => void }) {
  const { savedTask, dialog, setDialog } = actions
  const close = () => setDialog(undefined)
  return (
    <>
      {dialog?.kind === 'conflict' ? (
        <ConflictDialog
          text={<NewerVersion newer={dialog.newer} edited={savedTask} />}
          onClose={close}
          onOverwrite={() => (dialog.thenRun ? onSaveAndRun() : void actions.save({ force: true }))}
        />
      ) : null}
      <DeleteTaskDialog
        task={dialog?.kind === 'delete' ? savedTask : undefined}
        onClose={close}
        onDeleted={() => actions.leave(links.scienceList('tasks'))}
      />
    </>
  )
}
