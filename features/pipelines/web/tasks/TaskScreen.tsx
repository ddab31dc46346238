import { useParams, useSearchParams } from 'react-router'
import { useCan } from '@headwater/accounts/web'
import { TaskCreator } from '@headwater/tasks/web'
import { usePipelineCalls } from '../pipelines-client.ts'
import { startTask } from './start-task.ts'
import { useRunSample } from './use-run-sample.ts'

/** Page that edits a task and runs it. */
export default function TaskScreen() {
  const { id } = useParams()
  const [search] = useSearchParams()
  const canStop = useCan()('Creator', 'RW', 'Science')
  const calls = usePipelineCalls()
  const runSample = useRunSample(search.get('pipelineId'), search.get('nodeId'))
  return (
    <TaskCreator
      taskId={id}
      version={search.get('version') ?? undefined}
      runSample={runSample}
      runner={{
        start: startTask,
        stop: canStop ? (jobId) => calls.stop(undefined, jobId) : undefined,
      }}
    />
  )
}
