import { useQuery } from '@tanstack/react-query'
import { ChangedSettings, type ComparedVersions, SameVersions } from '@headwater/items/web'
import { ErrorState, Skeleton } from '@headwater/web-kit'
import { comparedPipeline, pipelineByIdQuery } from '../pipelines-client.ts'
import { versionChanges } from './version-changes.ts'

/** Difference between two versions of a pipeline: settings, tasks and their values as a table. */
export function PipelineVersionDifference({
  pipelineId,
  compared,
}: {
  pipelineId: string
  compared: ComparedVersions
}) {
  const before = useQuery(pipelineByIdQuery(pipelineId, compared.before))
  const after = useQuery(pipelineByIdQuery(pipelineId, compared.after))
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
  const settings = versionChanges(comparedPipeline(before.data), comparedPipeline(after.data))
  return settings.length === 0 ? <SameVersions /> : <ChangedSettings settings={settings} />
}
