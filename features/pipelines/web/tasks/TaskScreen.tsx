import { useParams, useSearchParams } from 'react-router'
import { TaskCreator } from '@headwater/tasks/web'
import RunTaskDialog from './RunTaskDialog.tsx'

/** Page that edits a task, with the dialog that runs it. */
export default function TaskScreen() {
  const { id } = useParams()
  const [search] = useSearchParams()
  return (
    <TaskCreator
      key={id}
      taskId={id}
      version={search.get('version') ?? undefined}
      drawRun={(given) => <RunTaskDialog {...given} />}
    />
  )
}
