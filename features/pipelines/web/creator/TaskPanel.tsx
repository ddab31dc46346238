import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconUnlink from '@tabler/icons-react/dist/esm/icons/IconUnlink.mjs'
import type { Graph, GraphLink } from '@headwater/canvas'
import { valueOf } from '@headwater/tasks/contract'
import { type ExpressionName, TaskParamsForm } from '@headwater/tasks/web'
import { isReference } from '@headwater/runs/contract'
import { type ComponentStatus, visibleStatus } from '@headwater/statuses/contract'
import {
  Button,
  Checkbox,
  IconButton,
  Select,
  StatusBadge,
  TextField,
  TextLink,
  links as pages,
} from '@headwater/web-kit'
import { paramLabel } from '../param-label.ts'
import type { RunPart } from '../pipelines-client.ts'
import { orderPort, type TaskData, type TaskNode, withMode, withParam } from './draft.ts'
import { linkText, outputText } from './link-text.ts'
import { RetryFields } from './RetryFields.tsx'
import { RunPartMenu } from './RunPartMenu.tsx'
import type { OpenStatus } from './status/use-status-box.tsx'
import type { TaskOf } from './use-task-types.ts'
import styles from './Creator.module.css'

const onErrorOptions = [
  { value: 'stop', label: 'Stop the run' },
  { value: 'skip', label: 'Skip the tasks after it' },
  { value: 'continue', label: 'Continue' },
]

/** Panel with the name, inputs, links and settings of one task. */
export function TaskPanel({
  node,
  graph,
  taskOf,
  pipeline,
  status,
  onStatus,
  editable,
  onChange,
  onUnlink,
  onDelete,
  onRunPart,
}: {
  node: TaskNode
  graph: Graph<TaskData>
  taskOf: TaskOf
  /** The saved pipeline; undefined before its first save. */
  pipeline: { id: string; groupName: string } | undefined
  status: ComponentStatus | undefined
  /** Opens the status box of the task. */
  onStatus: OpenStatus
  editable: boolean
  /** Changes the task; `field` names the changed field, so that characters typed into it are undone together. */
  onChange: (change: (node: TaskNode) => TaskNode, field: string) => void
  onUnlink: (linkId: string) => void
  onDelete: () => void
  /** Runs a part of the pipeline; undefined without the permission, and during a run. */
  onRunPart: ((part: RunPart) => void) | undefined
}) {
  const task = taskOf(node.data)
  const received = graph.links.filter(({ to }) => to.node === node.id)
  const given = graph.links.filter(({ from }) => from.node === node.id)
  const linked = Object.fromEntries(
    received
      .filter(({ to }) => to.port !== orderPort)
      .map(({ from, to }) => [to.port, outputText(graph, from)]),
  )
  const values = Object.fromEntries(
    node.data.taskOverrides.params
      .filter(({ type }) => type === 'INPUT')
      .map(({ name, value }) => [name, value]),
  )
  const modes = Object.fromEntries(
    node.data.taskOverrides.params.flatMap(({ name, type, mode }) =>
      type === 'INPUT' && mode !== undefined ? [[name, mode]] : [],
    ),
  )
  const set = (change: Partial<TaskData>, field: string) =>
    onChange((current) => ({ ...current, data: { ...current.data, ...change } }), field)
  const { taskVersion, onError } = node.data
  return (
    <div className={styles.panel}>
      <h2 className={styles.title}>{node.label}</h2>
      <p className={styles.note}>
        {task === undefined ? (
          node.data.taskName
        ) : task.groupName === '' ? (
          task.readableName === node.label ? (
            'Built-in task'
          ) : (
            task.readableName
          )
        ) : (
          <TextLink href={pages.task(task.id)}>{task.readableName}</TextLink>
        )}
        {taskVersion === null ? '' : ` · v${taskVersion}`}
        {task?.definitionName === 'python-runner' && task.groupName !== '' && pipeline !== undefined ? (
          <>
            {' · '}
            <TextLink href={pages.task(task.id, { pipelineId: pipeline.id, nodeId: node.id })} newTab>
              Test run
            </TextLink>
          </>
        ) : null}
      </p>
      {status === undefined ? null : (
        <div className={styles.status}>
          <StatusBadge status={visibleStatus(status)} />
          <Button size="small" variant="quiet" onClick={(event) => onStatus(node.id, event.currentTarget)}>
            Status details
          </Button>
        </div>
      )}
      <TextField
        label="Name"
        value={node.label}
        maxLength={200}
        disabled={!editable}
        error={node.label.trim() === '' ? 'Enter a name.' : undefined}
        onChange={(label) => onChange((current) => ({ ...current, label }), 'name')}
      />
      {task === undefined ? null : (
        <TaskParamsForm
          params={task.params.map((param) => ({
            ...param,
            label: paramLabel(node.data, param.name),
            defaultValue: valueOf(param),
          }))}
          values={values}
          linked={linked}
          groupName={pipeline?.groupName}
          modes={modes}
          onModeChange={(name, mode) => onChange((current) => withMode(current, name, mode), `mode ${name}`)}
          names={namesBefore(node.id, graph)}
          disabled={!editable}
          onChange={(change) =>
            onChange(
              (current) =>
                Object.entries(change).reduce(
                  (changed, [name, value]) => withParam(changed, name, 'INPUT', value),
                  current,
                ),
              Object.keys(change).join(' '),
            )
          }
        />
      )}
      <LinkList
        links={[...received, ...given]}
        node={node.id}
        graph={graph}
        editable={editable}
        onUnlink={onUnlink}
      />
      <Checkbox
        label="Require approval before this task"
        checked={node.data.isPaused}
        disabled={!editable}
        onChange={(isPaused) => set({ isPaused }, 'pause')}
      />
      <Select
        label="On failure"
        value={onError ?? 'stop'}
        options={onErrorOptions}
        disabled={!editable}
        onChange={(chosen) => set({ onError: chosen as TaskData['onError'] }, 'onError')}
      />
      <RetryFields data={node.data} editable={editable} onChange={set} />
      {onRunPart === undefined ? null : <RunPartMenu nodeId={node.id} onRun={onRunPart} />}
      {editable ? (
        <Button variant="dangerQuiet" icon={<IconTrash size={16} stroke={1.6} />} onClick={onDelete}>
          Delete task
        </Button>
      ) : null}
    </div>
  )
}

function LinkList({
  links,
  node,
  graph,
  editable,
  onUnlink,
}: {
  links: readonly GraphLink[]
  node: string
  graph: Graph<TaskData>
  editable: boolean
  onUnlink: (id: string) => void
}) {
  if (links.length === 0) return null
  return (
    <section aria-label="Links">
      <h3 className={styles.category}>Links</h3>
      <ul>
        {links.map((link) => {
          const text = linkText(link, node, graph)
          return (
            <li key={link.id} className={styles.link}>
              <span title={text}>{text}</span>
              {editable ? (
                <IconButton
                  label={`Remove link ${text}`}
                  icon={<IconUnlink size={14} stroke={1.6} />}
                  onClick={() => onUnlink(link.id)}
                />
              ) : null}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Returns the outputs that expressions of a task can use: those with a reference, of all tasks before it. */
function namesBefore(id: string, graph: Graph<TaskData>): ExpressionName[] {
  const { nodes, links } = graph
  const before = new Set([id])
  const from = Map.groupBy(links, ({ to }) => to.node)
  for (const each of before) for (const link of from.get(each) ?? []) before.add(link.from.node)
  before.delete(id)
  return nodes
    .filter((node) => before.has(node.id))
    .flatMap(({ id: node, data }) =>
      data.taskOverrides.params
        .filter(({ type, value }) => type === 'OUTPUT' && isReference(value))
        .map(({ name, value }) => ({ value, label: outputText(graph, { node, port: name }) })),
    )
}
