import { useQuery } from '@tanstack/react-query'
import { FileDifference } from '@headwater/editors/web'
import { ChangedSettings, type ComparedVersions, SameVersions } from '@headwater/items/web'
import { ErrorState, Skeleton } from '@headwater/web-kit'
import { taskDifference } from '../../core/index.ts'
import { taskQuery } from '../tasks-client.ts'

/** Difference between two versions of a task: settings and parameters as a table, scripts by line. */
export function TaskDifference({ taskId, compared }: { taskId: string; compared: ComparedVersions }) {
  const before = useQuery(taskQuery(taskId, String(compared.before)))
  const after = useQuery(taskQuery(taskId, String(compared.after)))
  const error = before.error ?? after.error
  if (error !== null)
    return (
      <ErrorState
        error={error}
        onRetry={() => {
          void before.refetch()
          void after.refetch()
        }}
      />
    )
  if (before.data === undefined || after.data === undefined) return <Skeleton lines={8} />
  const { settings, scripts } = taskDifference(before.data, after.data)
  if (settings.length + scripts.length === 0) return <SameVersions />
  return (
    <>
      <ChangedSettings settings={settings} />
      {scripts.map((script) => (
        <FileDifference key={script.name} fileName={`${script.name}.py`} {...script} />
      ))}
    </>
  )
}
