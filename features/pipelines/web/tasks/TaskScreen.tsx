import { useParams, useSearchParams } from 'react-router'
import { useCan } from '@headwater/accounts/web'
import { TaskCreator } from '@headwater/tasks/web'
import { usePipelineCalls } from '../pipelines-client.ts'
import { startTask } from './start-task.ts'

/** Page that edits a task and runs it. */
export default function TaskScreen() {
  const { id } = useParams()
  const [search] = useSearchParams()
  const canStop = useCan()('Creator', 'RW', 'Science')
  const calls = usePipelineCalls()
  return (
    <TaskCreator
      taskId={id}
      version={search.get('version') ?? undefined}
      runner={{
        start: startTask,
        stop: canStop ? (jobId) => calls.stop(undefined, jobId) : undefined,
      }}
    />
  )
}
