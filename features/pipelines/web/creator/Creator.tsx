import { type ReactNode, useRef, useState } from 'react'
import { DraftNote, useCan, useSession } from '@headwater/accounts/web'
import { Canvas, type CanvasHandle, changeNode, removeItems, useStable } from '@headwater/canvas'
import type { Job } from '@headwater/statuses/contract'
import { isRunOver, RunNote } from '@headwater/statuses/web'
import { EmptyState, message, Page, PageHeader, UnsavedGuard, useShortcut } from '@headwater/web-kit'
import type { ExecutionMode, Pipeline, PipelineDetails } from '../../contract/index.ts'
import { refusalOf } from '../../core/index.ts'
import { useVisibleJob } from '../page/use-visible-job.ts'
import type { PipelineAddress } from '../pipelines-client.ts'
import { useFollowedRun } from '../runs/follow-run.ts'
import { canContinue } from './can-continue.ts'
import { CreatorButtons, type CreatorDialog } from './CreatorButtons.tsx'
import { DeletionDialog } from './CreatorDialogs.tsx'
import { PipelineDialogs } from './PipelineDialogs.tsx'
import { PipelinePanel } from './PipelinePanel.tsx'
import type { TaskNode } from './draft.ts'
import { useStatusBox } from './status/use-status-box.tsx'
import { accepts } from './task-ports.ts'
import { TaskPalette } from './TaskPalette.tsx'
import { TaskPanel } from './TaskPanel.tsx'
import { type Deletion, useCanvasActions } from './use-canvas-actions.ts'
import { useCreator } from './use-creator.ts'
import { useSaveAndRun } from './use-save-and-run.ts'
import { useNodeContents } from './use-node-contents.tsx'
import { useGroupOfNewPipeline } from './use-group-of-new-pipeline.ts'
import { useTasks } from './use-tasks.ts'
import { useTaskTypes } from './use-task-types.ts'
import styles from './Creator.module.css'

/** Editor of a pipeline: tasks to add, the canvas, and a panel with the selected task or the pipeline. */
export function Creator({
  address,
  details,
}: {
  /** Version in the URL; undefined for a new pipeline. */
  address?: PipelineAddress
  details?: PipelineDetails
}) {
  const canvas = useRef<CanvasHandle>(null)
  const can = useCan()
  const { userName } = useSession()
  const canRun = can('Creator', 'RW', 'Science')
  const canEdit = canRun && details?.pipeline.writeAccess !== false
  const groupName = useGroupOfNewPipeline(details === undefined)
  const creator = useCreator({ stored: details, groupName, canEdit, canvas })
  const { saved, draft, isSaved, selection } = creator
  const pipeline = saved && currentOf(saved.pipeline, details?.pipeline)
  const [dialog, setDialog] = useState<CreatorDialog>()
  const [deletion, setDeletion] = useState<Deletion>()
  const { job, setUrlJob, hide } = useVisibleJob(pipeline, can('Statuses'))
  const isRunning = job !== undefined && !isRunOver(job)
  useFollowedRun(job, pipeline)

  const tasks = useTasks(draft.graph)
  const { taskOf } = useTaskTypes(draft.graph.nodes)
  const statusBox = useStatusBox()
  const contentOf = useNodeContents(draft.graph, taskOf, job, statusBox.open)
  const { actions, addTask, changeGraph } = useCanvasActions(creator, canvas, setDeletion, taskOf)
  const node = onlySelected(draft.graph.nodes, selection)

  const edited = { creator, canvas, pipeline, job, setUrlJob }
  const { saving, save, saveAs, restore, repeat, runPart } = useSaveAndRun(edited)
  const stable = useStable({
    onAdd: ({ id }: { id: string }) => void addTask(id),
    onRepeat: (part: { fromNodeId: string }) => void repeat(part),
    onExecutionMode: (executionMode: ExecutionMode) => creator.change((now) => ({ ...now, executionMode })),
  })
  function run(): void {
    const refusal = refusalOf('run', { isExecuting: isRunning, canWrite: canRun, tasks })
    if (refusal === undefined) setDialog({ kind: isSaved ? 'run' : 'unsaved' })
    else message(refusal, 'warn')
  }
  useShortcut('mod+s', () => void save(), {
    label: 'Save the pipeline',
    enabled: canEdit && dialog === undefined && deletion === undefined && !saving.isOpen,
  })

  return (
    <Page
      flush="canvas"
      asideLabel={node === undefined ? 'Pipeline' : 'Task'}
      asideId={node?.id}
      aside={
        node === undefined ? (
          <PipelinePanel
            address={address}
            pipeline={pipeline}
            tasks={tasks}
            job={job}
            canRun={canRun}
            canEdit={canEdit}
            executionMode={draft.executionMode}
            onExecutionMode={stable.onExecutionMode}
            onRepeat={stable.onRepeat}
          />
        ) : (
          <TaskPanel
            node={node}
            graph={draft.graph}
            taskOf={taskOf}
            pipeline={pipeline}
            status={job?.componentStatuses.findLast(({ payload }) => payload.nodeId === node.id)}
            onStatus={statusBox.open}
            editable={canEdit}
            onChange={(change: (node: TaskNode) => TaskNode, field) =>
              changeGraph((graph) => changeNode(graph, node.id, change), `${node.id} ${field}`)
            }
            onUnlink={(id) => actions.removeLinks(new Set([id]))}
            onDelete={() => setDeletion({ kind: 'nodes', ids: new Set([node.id]) })}
            onRunPart={canRun && isSaved && !isRunning ? (part) => void runPart(part) : undefined}
          />
        )
      }
    >
      <PageHeader
        title={pipeline?.name ?? 'New pipeline'}
        note={noteOf(pipeline, isSaved)}
        actions={
          <CreatorButtons
            pipeline={pipeline}
            job={job}
            canRun={canRun}
            canContinue={canContinue(job, draft.graph.nodes, taskOf)}
            canEdit={canEdit}
            isSaved={isSaved}
            saving={saving.isSaving}
            isEmpty={draft.graph.nodes.length + draft.graph.comments.length === 0}
            onSave={() => void save()}
            onRestore={() => void restore()}
            onRun={run}
            onDialog={(kind) => setDialog({ kind })}
            onRepeat={(part) => void repeat(part)}
            onSaveAs={saveAs}
            onClear={creator.clear}
          />
        }
      />
      {job === undefined ? null : <RunBar job={job} onClose={hide} />}
      <DraftBar time={creator.restoredTime} onDiscard={creator.discardRestored} />
      <div className={styles.creator}>
        {canEdit ? <TaskPalette disabled={false} onAdd={stable.onAdd} /> : null}
        <Canvas
          label="Canvas"
          graph={draft.graph}
          contentOf={contentOf}
          accepts={accepts}
          selection={selection}
          onSelect={creator.select}
          actions={canEdit ? actions : undefined}
          canUndo={creator.canUndo}
          canRedo={creator.canRedo}
          commentsVisible={draft.commentsVisible}
          commentsCollapsed={isRunning}
          author={userName}
          empty={<EmptyCanvas canEdit={canEdit} isNew={saved === undefined} />}
          initialView={creator.initialView}
          handle={canvas}
        />
      </div>
      <PipelineDialogs
        dialog={dialog}
        setDialog={setDialog}
        creator={creator}
        pipeline={pipeline}
        job={job}
        setUrlJob={setUrlJob}
        onSaveAndRun={() => save(true)}
        statusBox={statusBox}
        taskOf={taskOf}
      />
      {saving.dialogs}
      <DeletionDialog
        deletion={deletion}
        onClose={() => setDeletion(undefined)}
        onDelete={(ids) => changeGraph((graph) => removeItems(graph, ids))}
      />
      <UnsavedGuard when={creator.isUnsaved && canEdit} />
    </Page>
  )
}

/** Returns the selected task; undefined without one and with several. */
function onlySelected(nodes: readonly TaskNode[], selection: ReadonlySet<string>): TaskNode | undefined {
  const selected = nodes.filter(({ id }) => selection.has(id))
  return selected.length === 1 ? selected[0] : undefined
}

/** The visible run, as wide as the palette and the canvas together. */
function RunBar(props: { job: Job; onClose: () => void }): ReactNode {
  return (
    <div className={styles.run}>
      <RunNote {...props} />
    </div>
  )
}

/** The note about restored changes; `time` is undefined without them. */
function DraftBar({ time, onDiscard }: { time: number | undefined; onDiscard: () => void }): ReactNode {
  return time === undefined ? null : <DraftNote className={styles.draft} time={time} onDiscard={onDiscard} />
}

function EmptyCanvas({ canEdit, isNew }: { canEdit: boolean; isNew: boolean }): ReactNode {
  if (!canEdit && isNew)
    return <EmptyState title="No permission">You can open pipelines, but not create them.</EmptyState>
  return (
    <EmptyState title="No tasks yet">
      {canEdit
        ? 'Drag a task here from the list on the left, or select it in the list.'
        : 'This version of the pipeline has no tasks.'}
    </EmptyState>
  )
}

/** Returns the saved version, with the schedule and tags that the server has reported since. */
function currentOf(saved: Pipeline, reported: Pipeline | undefined): Pipeline {
  return reported?.id === saved.id && reported.version === saved.version ? reported : saved
}

function noteOf(pipeline: Pipeline | undefined, isSaved: boolean): string {
  if (pipeline === undefined) return 'not saved yet'
  const version = `v${pipeline.version}${pipeline.latest ? ' · latest' : ', an older version'}`
  return isSaved ? version : `${version} · unsaved changes`
}
