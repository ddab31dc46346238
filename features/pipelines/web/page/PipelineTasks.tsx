import { memo, useEffect, useMemo, useRef, useState } from 'react'
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs'
import { approvalTaskName } from '@headwater/approvals/contract'
import { type ComponentStatus, type Job, visibleStatus } from '@headwater/statuses/contract'
import { Badge, Button, EmptyState, links, StatusBadge } from '@headwater/web-kit'
import type { PipelineTask } from '../../contract/index.ts'
import { ObjectName, useBuiltInNames, useBuiltInTypes } from '@headwater/tasks/web'
import { EditFileButton } from '../runs/EditFileButton.tsx'
import { type TaskLine, taskLines, type ValueLine } from './task-lines.ts'
import styles from './PipelinePage.module.css'

/** Tasks that are listed at once; more follow when the user scrolls to them. */
const pageSize = 50
/** Messages longer than this, in characters, can need scrolling and therefore accept the focus. */
const longMessage = 200

/** Actions of a user on a task of a run. */
export interface TaskActions {
  /** Approves or declines a task before which the run is paused. */
  onDecide: (nodeId: string, isApproved: boolean) => void
  /** The run, whose files can be edited while it is paused; undefined if its pipeline is not known. */
  run: { pipelineId: string; jobId: string } | undefined
  /** Executes a task of an ended run again, with all tasks after it; undefined while the run is in progress. */
  onRepeat: ((nodeId: string) => void) | undefined
}

/** List of the tasks of a pipeline in the order in which they run, with their statuses in a run. */
export function PipelineTasks({
  tasks,
  job,
  actions,
}: {
  tasks: readonly PipelineTask[]
  job: Job | undefined
  /** Actions of the user on the tasks of the run; undefined without a run or without the permission. */
  actions: TaskActions | undefined
}) {
  const { lines, problem } = useMemo(() => taskLines(tasks), [tasks])
  const builtInName = useBuiltInNames()
  const [visible, setVisible] = useState(pageSize)
  const statuses = useMemo(
    () => new Map(job?.componentStatuses.map((status) => [status.payload.nodeId, status])),
    [job],
  )
  if (lines.length === 0)
    return (
      <EmptyState title="No tasks yet">
        This version of the pipeline has no tasks, so there is nothing to run.
      </EmptyState>
    )
  return (
    <>
      {problem === undefined ? null : (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <ol className={styles.tasks} aria-label="Tasks">
        {lines.slice(0, visible).map((line, index) => (
          <TaskItem
            key={line.task.id}
            line={line}
            kind={line.task.taskGroup === '' ? builtInName(line.task.taskName) : line.task.taskName}
            number={index + 1}
            status={statuses.get(line.task.id)}
            actions={actions}
          />
        ))}
      </ol>
      {lines.length > visible ? (
        <MoreTasks count={lines.length - visible} onShow={() => setVisible(visible + pageSize)} />
      ) : null}
    </>
  )
}

/** Button for more tasks; scrolling to it also loads them. */
function MoreTasks({ count, onShow }: { count: number; onShow: () => void }) {
  const root = useRef<HTMLDivElement>(null)
  const latest = useRef(onShow)
  useEffect(() => {
    latest.current = onShow
  })
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.at(-1)!.isIntersecting) latest.current()
    })
    observer.observe(root.current!)
    return () => observer.disconnect()
  }, [count])
  return (
    <div ref={root}>
      <Button onClick={onShow}>{`Show more tasks (${count})`}</Button>
    </div>
  )
}

const TaskItem = memo(function TaskItem({
  line: { task, follows, inputs, outputs },
  kind,
  number,
  status,
  actions,
}: {
  line: TaskLine
  /** Name of the saved or built-in task. */
  kind: string
  number: number
  status: ComponentStatus | undefined
  actions: TaskActions | undefined
}) {
  const { taskGroup, taskVersion, taskReadableName } = task
  return (
    <li className={styles.task} aria-label={taskReadableName}>
      <span className={styles.number} aria-hidden="true">
        {number}
      </span>
      <div className={styles.head}>
        <h2 className={styles.name}>{taskReadableName}</h2>
        <span className={styles.kind}>
          {kind} · {taskGroup === '' ? 'built in' : taskGroup}
          {taskVersion === null ? '' : ` · v${taskVersion}`}
        </span>
        {task.isPaused ? (
          <Badge icon={<IconPlayerPause size={12} stroke={1.6} aria-hidden="true" />}>
            Requires approval
          </Badge>
        ) : null}
      </div>
      {status === undefined ? null : <StatusBadge status={visibleStatus(status)} />}
      {status === undefined || status.message === '' ? null : (
        <pre
          className={styles.message}
          aria-live="polite"
          {...(status.message.length > longMessage ? { tabIndex: 0 } : {})}
        >
          {status.message}
        </pre>
      )}
      {status === undefined || actions === undefined ? null : (
        <TaskButtons task={task} status={status.status} actions={actions} />
      )}
      {follows.length === 0 && inputs.length === 0 && outputs.length === 0 ? null : (
        <dl className={styles.values}>
          {follows.length === 0 ? null : <Value name="Follows" text={follows.join(', ')} />}
          {inputs.map((input) => (
            <Value key={input.name} {...input} taskName={taskGroup === '' ? task.taskName : undefined} />
          ))}
          {outputs.map((output) => (
            <Value key={output.name} {...output} text={`to ${output.text}`} />
          ))}
        </dl>
      )}
    </li>
  )
})

function TaskButtons({
  task: { id, taskName, taskGroup, taskReadableName: name, taskOverrides },
  status,
  actions: { onDecide, onRepeat, run },
}: {
  task: PipelineTask
  status: ComponentStatus['status']
  actions: TaskActions
}) {
  if (status === 'PAUSED' && run !== undefined && taskGroup === '' && taskName === approvalTaskName)
    return (
      <div className={styles.buttons}>
        <Button size="small" href={links.approval(run.jobId, id)}>
          Open approval
        </Button>
      </div>
    )
  if (status === 'PAUSED')
    return (
      <div className={styles.buttons}>
        <Button size="small" aria-label={`Approve ${name}`} onClick={() => onDecide(id, true)}>
          Approve
        </Button>
        <Button size="small" aria-label={`Decline ${name}`} onClick={() => onDecide(id, false)}>
          Decline
        </Button>
        {run === undefined ? null : (
          <EditFileButton task={{ ...run, nodeId: id, name, params: taskOverrides.params }} />
        )}
      </div>
    )
  if (onRepeat === undefined || status === 'UNEXECUTED') return null
  return (
    <div className={styles.buttons}>
      <Button size="small" aria-label={`Rerun from here: ${name}`} onClick={() => onRepeat(id)}>
        Rerun from here
      </Button>
    </div>
  )
}

function Value({
  name,
  text,
  given,
  taskName,
  isLinked = false,
}: Omit<ValueLine, 'isLinked'> & {
  isLinked?: boolean
  /** Name of the task, if it is a built-in one. */
  taskName?: string | undefined
}) {
  const typeOf = useBuiltInTypes()
  const valueType = taskName === undefined || given === undefined ? undefined : typeOf(taskName, given.param)
  return (
    <div className={styles.value}>
      <dt>{name}</dt>
      <dd title={text}>
        {isLinked ? <IconArrowRight size={13} stroke={1.6} aria-hidden="true" /> : null}
        <span>
          <ObjectName valueType={valueType} value={given?.value ?? ''}>
            {text === '' ? '—' : text}
          </ObjectName>
        </span>
      </dd>
    </div>
  )
}
