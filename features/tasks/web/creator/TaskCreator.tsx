import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useSettings } from '@headwater/accounts/web'
import { Button, ErrorState, links, Page, Skeleton } from '@headwater/web-kit'
import type { Task, TaskDefinition } from '../../contract/index.ts'
import { useRecordRecentTask } from '../recent-tasks.ts'
import { taskQuery, useTaskDefinitions } from '../tasks-client.ts'
import type { RunSample } from './TestRunPanel.tsx'
import { draftOf, newTask } from './task-draft.ts'
import { TaskWorkspace } from './TaskWorkspace.tsx'
import { type TaskRun, type TaskRunner, useTaskRun } from './use-task-run.ts'
import styles from './TaskCreator.module.css'

/** Page that edits a saved task; without an id, a new one. */
export function TaskCreator({
  taskId,
  version,
  runner,
  runSample,
}: {
  taskId: string | undefined
  /** A version other than the newest. */
  version: string | undefined
  runner: TaskRunner
  /** Provides values of an earlier run for the test run. Default: none. */
  runSample?: RunSample | undefined
}) {
  const run = useTaskRun(taskId, runner)
  const definitions = useTaskDefinitions()
  if (definitions.data === undefined)
    return <Loading error={definitions.error} onRetry={() => void definitions.refetch()} />
  return taskId === undefined ? (
    <NewTask definitions={definitions.data} run={run} runSample={runSample} />
  ) : (
    <StoredTask
      key={`${taskId} ${version}`}
      taskId={taskId}
      version={version}
      definitions={definitions.data}
      run={run}
      runSample={runSample}
    />
  )
}

interface Given {
  definitions: readonly TaskDefinition[]
  run: TaskRun
  runSample: RunSample | undefined
}

function NewTask({ definitions, ...given }: Given) {
  const group = useSettings()?.defaultGroup ?? ''
  const first = definitions.find(({ openParams }) => openParams) ?? definitions[0]
  if (first === undefined)
    return <Loading error={new Error('This server has no kinds of tasks.')} onRetry={undefined} />
  return (
    <TaskWorkspace begin={newTask(first, group)} stored={undefined} definitions={definitions} {...given} />
  )
}

function StoredTask({
  taskId,
  version,
  definitions,
  ...given
}: Given & { taskId: string; version: string | undefined }) {
  const { data, isFetching, error, refetch } = useQuery(taskQuery(taskId, version))
  const [task, setTask] = useState<Task>()
  // The loaded task stays the same even if other users save it in the meantime.
  if (task === undefined && data !== undefined && !isFetching) setTask(data)
  useRecordRecentTask(task)
  if (task === undefined) return <Loading error={isFetching ? null : error} onRetry={() => void refetch()} />
  const definition = definitions.find(({ definitionName }) => definitionName === task.definitionName)
  return (
    <TaskWorkspace begin={draftOf(task, definition)} stored={task} definitions={definitions} {...given} />
  )
}

function Loading({ error, onRetry }: { error: Error | null; onRetry: (() => void) | undefined }) {
  return (
    <Page>
      {error === null ? (
        <Skeleton lines={12} />
      ) : (
        <div className={styles.failed}>
          <ErrorState error={error} {...(onRetry === undefined ? {} : { onRetry })} />
          <Button href={links.scienceList('tasks')}>All tasks</Button>
        </div>
      )}
    </Page>
  )
}
